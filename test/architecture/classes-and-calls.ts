import { Visitor } from 'oxc-parser'

import { finding, importsOf, type Finding, type SourceFile } from './source-files.js'

type Visit = ConstructorParameters<typeof Visitor>[0]
type Expression = Parameters<NonNullable<Visit['CallExpression']>>[0]['callee']
type Decorator = Parameters<NonNullable<Visit['Decorator']>>[0]
type Class = Parameters<NonNullable<Visit['ClassDeclaration']>>[0]

function nameOfDecorator({ expression }: Decorator): string | undefined {
  const callee = expression.type === 'CallExpression' ? expression.callee : expression
  return callee.type === 'Identifier' ? callee.name : undefined
}

/** Whether it is `@inject(Token)` or `@injectAll(Token)`. */
function isInjection(decorator: Decorator): boolean {
  return (
    /^inject(All)?$/.test(nameOfDecorator(decorator) ?? '') &&
    decorator.expression.type === 'CallExpression' &&
    decorator.expression.arguments.length > 0
  )
}

const scopeDecorators = new Set(['perServer', 'scoped', 'injectable'])

/**
 * A class that the container instantiates declares the token of each constructor parameter:
 * esbuild, with which the tests run, emits no metadata for tsyringe.
 */
export function findBareParameters(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const found: Finding[] = []
    const check = (node: Class) => {
      if (
        !node.decorators.some((decorator) => scopeDecorators.has(nameOfDecorator(decorator) ?? ''))
      ) {
        return
      }
      for (const member of node.body.body) {
        if (member.type !== 'MethodDefinition' || member.kind !== 'constructor') continue
        for (const parameter of member.value.params) {
          const decorators = 'decorators' in parameter ? (parameter.decorators ?? []) : []
          if (!decorators.some(isInjection)) {
            const problem = `${node.id?.name ?? 'a class'}: a parameter without @inject(Token)`
            found.push(finding(file, parameter.start, problem))
          }
        }
      }
    }
    new Visitor({ ClassDeclaration: check, ClassExpression: check }).visit(file.parsed.program)
    return found
  })
}

/** A function that resolves a dependency hides a circle; `@injectAll` shows it at the start. */
export function findInjectedFunctions(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) =>
    [...file.text.matchAll(/@inject(All)?\(\w+\)\s+((private|readonly) )*\w+: \(/g)].map(
      ({ index }) =>
        finding(file, index, 'inject the dependency itself, or a list of them with @injectAll'),
    ),
  )
}

/** Two servers in one process share nothing, and only the composition root uses the container. */
export function findSharedInstances(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const found: Finding[] = []
    new Visitor({
      Decorator(node) {
        if (nameOfDecorator(node) === 'singleton') {
          found.push(finding(file, node.start, 'every server would share it: use @perServer()'))
        }
      },
    }).visit(file.parsed.program)
    for (const { specifier, names, offset } of importsOf(file)) {
      const isRoot = file.path === 'packages/core/src/server/create-chat-server.ts'
      if (specifier !== 'tsyringe' || isRoot) continue
      if (names.some((name) => name === 'container' || name === '*')) {
        found.push(finding(file, offset, 'only create-chat-server.ts touches the container'))
      }
    }
    return found
  })
}

const processMembersOfTheHost = new Set([
  'addListener',
  'argv',
  'chdir',
  'env',
  'exit',
  'exitCode',
  'kill',
  'on',
  'once',
  'prependListener',
  'removeAllListeners',
  'setUncaughtExceptionCaptureCallback',
  'stderr',
  'stdin',
  'stdout',
  'umask',
])
const globalObjects = new Set(['globalThis', 'global'])
/** The one file that runs in a process of its own. */
const program = 'packages/core/src/command-line/parley.ts'

/**
 * The library runs in the process of an application: no printing, no environment variables, no
 * handlers, no globals.
 */
export function findProcessSideEffects(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    if (file.path === program) return []
    const found: Finding[] = []
    const checkWrite = (target: { type: string; start: number }) => {
      if (target.type !== 'MemberExpression' || !('object' in target)) return
      const { object } = target as unknown as { object: Expression }
      if (object.type === 'Identifier' && globalObjects.has(object.name)) {
        found.push(finding(file, target.start, 'writes a global'))
      } else checkWrite(object)
    }
    new Visitor({
      MemberExpression(node) {
        if (node.object.type !== 'Identifier') return
        const member = node.property.type === 'Identifier' ? node.property.name : undefined
        if (node.object.name === 'console') {
          found.push(finding(file, node.start, 'prints: take a Logger'))
        }
        if (node.object.name === 'process' && processMembersOfTheHost.has(member ?? 'env')) {
          found.push(finding(file, node.start, `process.${member ?? '…'} is the application's`))
        }
      },
      AssignmentExpression: (node) => checkWrite(node.left),
      UpdateExpression: (node) => checkWrite(node.argument),
      UnaryExpression(node) {
        if (node.operator === 'delete') checkWrite(node.argument)
      },
      CallExpression(node) {
        const [target] = node.arguments
        if (
          node.callee.type === 'MemberExpression' &&
          node.callee.object.type === 'Identifier' &&
          (node.callee.object.name === 'Object' || node.callee.object.name === 'Reflect') &&
          target?.type === 'Identifier' &&
          globalObjects.has(target.name)
        ) {
          found.push(finding(file, node.start, 'may write a global'))
        }
      },
    }).visit(file.parsed.program)
    for (const { specifier, offset } of importsOf(file)) {
      if (/^(node:)?(process|console)$/.test(specifier)) {
        found.push(finding(file, offset, `${specifier} is the application's`))
      }
    }
    return found
  })
}

const queryMethods = new Set(['query', 'queryAs', 'raw'])

/** In the folder of a resource, only `*-repository.ts` queries the database; tables create theirs. */
export function findSqlOutsideRepositories(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.startsWith('packages/core/src/resources/'))
    .filter(({ path }) => !/-(?:repository|table)\.ts$/.test(path))
    .flatMap((file) => {
      const found: Finding[] = []
      const problem = 'only *-repository.ts may build a query'
      new Visitor({
        MemberExpression(node) {
          if (node.property.type !== 'Identifier') return
          if (node.property.name === 'executor') found.push(finding(file, node.start, problem))
        },
        CallExpression(node) {
          const { callee } = node
          if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
          if (queryMethods.has(callee.property.name)) {
            found.push(finding(file, callee.property.start, problem))
          }
        },
      }).visit(file.parsed.program)
      for (const { specifier, offset } of importsOf(file)) {
        if (/^(knex|mysql2|sqlite3)(\/|$)/.test(specifier)) {
          found.push(finding(file, offset, problem))
        }
      }
      return found
    })
}

/**
 * `onConflict().ignore()` returns the same on SQLite whether or not a row was inserted, and on
 * MySQL it hides unrelated errors.
 */
export function findIgnoredConflicts(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const found: Finding[] = []
    new Visitor({
      CallExpression({ callee }) {
        const before = memberOf(callee)?.object
        if (nameOf(callee) !== 'ignore' || before?.type !== 'CallExpression') return
        if (nameOf(before.callee) === 'onConflict') {
          const problem = 'insert and catch the unique violation, or merge()'
          found.push(finding(file, before.end, problem))
        }
      },
    }).visit(file.parsed.program)
    return found
  })
}

const logMethods = new Set(['debug', 'info', 'warn', 'error'])

/** Loggers such as pino print the message and the stack of an error only under the key `err`. */
export function findMisnamedErrors(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const found: Finding[] = []
    const errorNames = new Set(['error', 'cause'])
    new Visitor({
      CatchClause({ param }) {
        if (param?.type === 'Identifier') errorNames.add(param.name)
      },
      CallExpression({ callee, arguments: given }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        const owner = file.text.slice(callee.object.start, callee.object.end)
        if (!/\b#?logger$/.test(owner) || !logMethods.has(callee.property.name)) return
        for (const argument of given) {
          const values = argument.type === 'ObjectExpression' ? argument.properties : [argument]
          for (const value of values) {
            const named = value.type === 'Property' ? value.value : value
            if (named.type !== 'Identifier' || !errorNames.has(named.name)) continue
            const key = value.type === 'Property' && value.key.type === 'Identifier' && value.key
            if (key === false || key.name !== 'err') {
              found.push(finding(file, value.start, 'pass the error as { err: error }'))
            }
          }
        }
      },
    }).visit(file.parsed.program)
    return found
  })
}

/** Unfinished work is completed or becomes an issue, not a comment. */
export function findUnfinishedWork(files: readonly SourceFile[]): Finding[] {
  const mark = /\b(TODO|FIXME|XXX)\b/
  return files.flatMap((file) =>
    file.parsed.comments
      .filter((comment) => mark.test(comment.value))
      .map((comment) => finding(file, comment.start, 'finish it or open an issue')),
  )
}

const maxLines = 300
/** A list with an item for each option or column is read like a table. */
const longLists = new Set([
  'packages/core/src/server/options.ts',
  'packages/core/src/resources/administration/personal-data/personal-columns.ts',
])

/** A file that is too long is split by subject. */
export function findLongFiles(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const lines = file.text.trimEnd().split('\n').length
    return lines > maxLines && !longLists.has(file.path)
      ? [`${file.path}: ${lines} lines; split it by subject`]
      : []
  })
}

/**
 * A promise that nobody waits for must not reject: Node would end the process of the application. In
 * a browser it is reported.
 */
export function findUnendedChains(files: readonly SourceFile[]): Finding[] {
  const inBrowsers = /^packages\/(?:client|web)\//
  return files.flatMap((file) => {
    if (inBrowsers.test(file.path)) return []
    const found: Finding[] = []
    new Visitor({
      ExpressionStatement({ expression }) {
        const names: (string | undefined)[] = []
        let node: Expression = expression
        while (node.type === 'UnaryExpression') node = node.argument
        const start = node.start
        while (node.type === 'CallExpression') {
          names.push(nameOf(node.callee))
          node = memberOf(node.callee)?.object ?? node.callee
        }
        const isChain = names.includes('then') || names.includes('finally')
        if (isChain && !names.includes('catch')) {
          found.push(finding(file, start, 'end the chain with catch'))
        }
      },
    }).visit(file.parsed.program)
    return found
  })
}

const memberOf = (node: Expression) =>
  node.type === 'MemberExpression' && node.property.type === 'Identifier' ? node : undefined

/** The name of the method of a call. */
const nameOf = (node: Expression) => {
  const property = memberOf(node)?.property
  return property?.type === 'Identifier' ? property.name : undefined
}
