import { finding, importsOf, type Finding, type SourceFile } from './source-files.js'

const core = 'packages/core/src/'

/**
 * The rooms of the core, each with the rooms it may import. Besides these a room may import
 * itself and installed packages; modules outside every room may import everything.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  errors: ['kernel'],
  markdown: ['kernel', 'errors', 'emoji'],
  emoji: ['kernel', 'errors', 'markdown'],
  domain: ['kernel', 'errors', 'markdown', 'emoji'],
  events: ['kernel', 'errors', 'markdown', 'emoji', 'domain'],
  storage: ['kernel', 'errors', 'markdown', 'emoji', 'domain', 'events'],
  http: ['kernel', 'errors', 'markdown', 'emoji', 'domain', 'events', 'storage'],
  node: ['kernel', 'errors', 'domain', 'http'],
  resources: ['kernel', 'errors', 'markdown', 'emoji', 'domain', 'events', 'storage', 'http'],
  ldap: ['kernel', 'resources'],
}

/** Rooms whose functions compute and do nothing else. */
const pureRooms = new Set(['markdown', 'emoji'])
const impureModules =
  /^(node:)?(child_process|cluster|dgram|dns|fs|http2?|https|net|process|tls|worker_threads)(\/|$)|^(knex|mysql2|sqlite3|tsyringe|ws)$/

/** Modules outside every room that rooms may know: what the application configured. */
const sharedRootModules = new Set([`${core}options.ts`])

function roomOf(path: string): string | undefined {
  return path.startsWith(core) && path.slice(core.length).includes('/')
    ? path.slice(core.length).split('/')[0]
    : undefined
}

function nounOf(path: string): string | undefined {
  return new RegExp(`^${core}resources/([^/]+)/`).exec(path)?.[1]
}

/** Imports between rooms point one way. */
export function findWrongDirections(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path)
    if (room === undefined) return []
    const allowed = rooms[room]
    if (!allowed)
      return [finding(file, 0, `'${room}' is no known room; add it to the table of rooms`)]
    return importsOf(file).flatMap((used) => {
      if (used.path === undefined) {
        return pureRooms.has(room) && impureModules.test(used.specifier)
          ? [finding(file, used.offset, `'${room}' is pure and may not import ${used.specifier}`)]
          : []
      }
      const usedRoom = roomOf(used.path)
      if (usedRoom === room || (usedRoom && allowed.includes(usedRoom))) return []
      if (sharedRootModules.has(used.path) && !pureRooms.has(room)) return []
      const target = usedRoom ? `'${usedRoom}'` : used.path
      return [finding(file, used.offset, `'${room}' may not import ${target}`)]
    })
  })
}

/** The core knows no adapter and no host framework; an adapter knows the core's door only. */
export function findWrongPackages(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const packageFolder = /^packages\/[^/]+\//.exec(file.path)?.[0] ?? ''
    const isCore = file.path.startsWith(core)
    return importsOf(file)
      .filter(({ specifier, path }) =>
        path === undefined
          ? isCore
            ? /^(@parley\/|express$|koa$)/.test(specifier)
            : /^@parley\/(?!core$)/.test(specifier)
          : !path.startsWith(`${packageFolder}src/`),
      )
      .map(({ specifier, offset }) => finding(file, offset, `${specifier} is outside the package`))
  })
}

/**
 * In a noun's folder only the operations, and the door that lists them, know HTTP. The noun
 * `authentication` is the exception: it is what http's own ports ask for.
 */
export function findHttpOutsideOperations(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => nounOf(file.path) && nounOf(file.path) !== 'authentication')
    .filter((file) => !/(-operations|\/index)\.ts$/.test(file.path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ path }) => path !== undefined && roomOf(path) === 'http')
        .map(({ offset }) =>
          finding(file, offset, 'only *-operations.ts and index.ts may import http/'),
        ),
    )
}

/** A noun opens another noun's folder by its door. */
export function findNounsWithoutTheDoor(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const noun = nounOf(file.path)
    if (!noun) return []
    return importsOf(file).flatMap(({ path, offset }) => {
      if (path === `${core}resources/index.ts`) {
        return [finding(file, offset, 'the table of contents imports the nouns, not they it')]
      }
      const usedNoun = path === undefined ? undefined : nounOf(path)
      if (!usedNoun || usedNoun === noun || path === `${core}resources/${usedNoun}/index.ts`) {
        return []
      }
      return [finding(file, offset, `import '../${usedNoun}/index.js' instead`)]
    })
  })
}

/** No two nouns import each other, directly or by way of others. */
export function findCirclesOfNouns(files: readonly SourceFile[]): Finding[] {
  const graph = new Map<string, Set<string>>()
  for (const file of files) {
    const noun = nounOf(file.path)
    if (!noun) continue
    const used = graph.get(noun) ?? new Set()
    graph.set(noun, used)
    for (const { path } of importsOf(file)) {
      const usedNoun = path === undefined ? undefined : nounOf(path)
      if (usedNoun && usedNoun !== noun) used.add(usedNoun)
    }
  }

  const circles = new Set<string>()
  const finished = new Set<string>()
  const walk = (noun: string, trail: readonly string[]): void => {
    const start = trail.indexOf(noun)
    if (start >= 0) {
      circles.add([...trail.slice(start), noun].join(' → '))
      return
    }
    if (finished.has(noun)) return
    for (const next of graph.get(noun) ?? []) walk(next, [...trail, noun])
    finished.add(noun)
  }
  for (const noun of graph.keys()) walk(noun, [])
  return [...circles].map(
    (circle) => `${circle}: give the question that they share a folder of its own`,
  )
}
