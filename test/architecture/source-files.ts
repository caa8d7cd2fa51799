import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

import { parseSync, Visitor, type ParseResult } from 'oxc-parser'

export const root = fileURLToPath(new URL('../../', import.meta.url))

const foldersOfOthers = new Set(['node_modules', 'dist', '.git', 'coverage', 'tmp'])

/** A parsed module, real or invented by a test. */
export interface SourceFile {
  /** Relative to the repository, with slashes. */
  readonly path: string
  readonly text: string
  readonly parsed: ParseResult
}

/** A finding of a rule: `path:line: the problem and its solution`. */
export type Finding = string

/** Parses a module that does not have to exist. */
export function source(path: string, text: string): SourceFile {
  const parsed = parseSync(basename(path), text)
  const [error] = parsed.errors
  if (error) throw new SyntaxError(`${path}: ${error.message}`)
  return { path, text, parsed }
}

/** Paths of all files below a folder of the repository, without installed and built ones. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    // In a linked work tree `.git` is a file.
    if (foldersOfOthers.has(entry.name)) return []
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

let productSources: SourceFile[] | undefined

/** Every hand-written module of the published packages. */
export function readProductSources(): SourceFile[] {
  productSources ??= filesBelow('packages')
    .filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path))
    .filter((path) => !path.endsWith('.generated.ts'))
    .map((path) => source(path, readText(path)))
  return productSources
}

export function finding(file: SourceFile, offset: number, problem: string): Finding {
  const line = file.text.slice(0, offset).split('\n').length
  return `${file.path}:${line}: ${problem}`
}

export interface Import {
  /** As written. */
  readonly specifier: string
  /** The imported file's path for a relative import, `.ts` for `.js`; otherwise undefined. */
  readonly path: string | undefined
  /** The imported names, as the other module exports them. */
  readonly names: readonly string[]
  readonly offset: number
}

/** Every reference of a module to another one: imports, re-exports, `import()`, import types. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = []
  const add = (specifier: string, offset: number, names: string[] = []) => {
    const isRelative = specifier.startsWith('.')
    const target = posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts')
    found.push({ specifier, path: isRelative ? target : undefined, names, offset })
  }

  const { staticImports, staticExports, dynamicImports } = file.parsed.module
  for (const { moduleRequest, entries, start } of staticImports) {
    const names = entries.map((entry) => entry.importName.name ?? '*')
    add(moduleRequest.value, start, names)
  }
  for (const { entries } of staticExports) {
    for (const { moduleRequest, importName, start } of entries) {
      if (moduleRequest) add(moduleRequest.value, start, [importName.name ?? '*'])
    }
  }
  for (const { moduleRequest, start } of dynamicImports) {
    add(file.text.slice(moduleRequest.start + 1, moduleRequest.end - 1), start, ['*'])
  }
  new Visitor({
    TSImportType(node) {
      if ('value' in node.source) add(node.source.value, node.start, ['*'])
    },
  }).visit(file.parsed.program)
  return found
}
