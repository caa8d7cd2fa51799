import { finding, importsOf, type Finding, type SourceFile } from './source-files.js'

const core = 'packages/core/src/'

/**
 * The layers of the core, each with the layers that it may import. A layer may also import itself
 * and installed packages. Modules outside all layers may import everything.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  texts: ['kernel'],
  errors: ['kernel', 'texts'],
  markdown: ['kernel', 'errors', 'emoji'],
  emoji: ['kernel', 'errors', 'markdown'],
  domain: ['kernel', 'errors', 'markdown', 'emoji'],
  events: ['kernel', 'errors', 'markdown', 'emoji', 'domain'],
  storage: ['kernel', 'errors', 'markdown', 'emoji', 'domain', 'events'],
  http: ['kernel', 'texts', 'errors', 'markdown', 'emoji', 'domain', 'events', 'storage'],
  node: ['kernel', 'errors', 'domain', 'http'],
  'resource-definition': [
    'kernel',
    'errors',
    'markdown',
    'emoji',
    'domain',
    'events',
    'storage',
    'http',
  ],
  resources: [
    'kernel',
    'texts',
    'errors',
    'markdown',
    'emoji',
    'domain',
    'events',
    'storage',
    'http',
    'resource-definition',
  ],
  ldap: ['kernel', 'resources'],
  languages: ['texts'],
  // A program beside the library, on top of its public entry point.
  'command-line': ['kernel'],
}

/** Composes all layers: it may import everything. */
const compositionLayer = 'server'

/** The groups of resources. A group may import itself and the groups before it. */
export const groups: readonly string[] = [
  'organization',
  'people',
  'realtime',
  'access',
  'groups',
  'channels',
  'files',
  'content',
  'accounts',
  'messages',
  'notifications',
  'personal',
  'administration',
]

/** Layers whose functions only compute. */
const pureLayers = new Set(['markdown', 'emoji'])
const impureModules =
  /^(node:)?(child_process|cluster|dgram|dns|fs|http2?|https|net|process|tls|worker_threads)(\/|$)|^(knex|mysql2|sqlite3|tsyringe|ws)$/

/** What layers may import of the composition: the options of the application. */
const sharedModules = new Set([`${core}server/options.ts`])
/** A program of its own, not a part of the library. */
const program = 'command-line'

function layerOf(path: string): string | undefined {
  return path.startsWith(core) && path.slice(core.length).includes('/')
    ? path.slice(core.length).split('/')[0]
    : undefined
}

/** `group/folder` of a module in a resource's folder. */
function resourceOf(path: string): string | undefined {
  return new RegExp(`^${core}resources/([^/]+/[^/]+)/`).exec(path)?.[1]
}

/** Imports between layers point one way. */
export function findWrongDirections(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const layer = layerOf(file.path)
    if (layer === undefined || layer === compositionLayer) return []
    const allowed = layers[layer]
    if (!allowed)
      return [finding(file, 0, `'${layer}' is not a known layer; add it to the table of layers`)]
    return importsOf(file).flatMap((used) => {
      if (used.path === undefined) {
        return pureLayers.has(layer) && impureModules.test(used.specifier)
          ? [finding(file, used.offset, `'${layer}' is pure and may not import ${used.specifier}`)]
          : []
      }
      const usedLayer = layerOf(used.path)
      if (usedLayer === layer || (usedLayer && allowed.includes(usedLayer))) return []
      if (sharedModules.has(used.path) && !pureLayers.has(layer)) return []
      if (layer === program && used.path === `${core}index.ts`) return []
      const target = usedLayer ? `'${usedLayer}'` : used.path
      return [finding(file, used.offset, `'${layer}' may not import ${target}`)]
    })
  })
}

/** Packages that the sources of a package do not import. Only core and client share the wire. */
const foreignPackages: Readonly<Record<string, RegExp>> = {
  'packages/core/': /^(@parley\/(?!wire\/)|express$|koa$)/,
  'packages/client/': /^@parley\/(?!wire\/)/,
  'packages/web/': /^@parley\/(?!client$)/,
}

/**
 * The core imports no adapter and no host framework; an adapter imports entry points of the core, and
 * the elements that of the client.
 */
export function findWrongPackages(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const packageFolder = /^packages\/[^/]+\//.exec(file.path)?.[0] ?? ''
    const foreign = foreignPackages[packageFolder] ?? /^@parley\/(?!core(?:\/bus)?$)/
    return importsOf(file)
      .filter(({ specifier, path }) =>
        path === undefined ? foreign.test(specifier) : !path.startsWith(`${packageFolder}src/`),
      )
      .map(({ specifier, offset }) => finding(file, offset, `${specifier} is outside the package`))
  })
}

/**
 * In the folder of a resource, only the operations and `index.ts` import `http/`, except in
 * `access/`, which implements the ports of `http/`.
 */
export function findHttpOutsideOperations(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => resourceOf(file.path)?.startsWith('access/') === false)
    .filter((file) => !/(-operations|\/index)\.ts$/.test(file.path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ path }) => path !== undefined && layerOf(path) === 'http')
        .map(({ offset }) =>
          finding(file, offset, 'only *-operations.ts and index.ts may import http/'),
        ),
    )
}

/** A resource imports other resources through their `index.ts`. */
export function findDeepImports(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const resource = resourceOf(file.path)
    if (!resource) return []
    return importsOf(file).flatMap(({ path, offset }) => {
      if (path === `${core}resources/index.ts`) {
        return [finding(file, offset, 'resources/index.ts imports the resources, not the reverse')]
      }
      const used = path === undefined ? undefined : resourceOf(path)
      if (!used || used === resource || path === `${core}resources/${used}/index.ts`) return []
      return [finding(file, offset, `import ${used}/index.js instead`)]
    })
  })
}

/** Imports between groups of resources point one way. */
export function findWrongGroups(files: readonly SourceFile[]): Finding[] {
  const groupOf = (resource: string): string => resource.split('/')[0] ?? ''
  return files.flatMap((file) => {
    const resource = resourceOf(file.path)
    if (!resource) return []
    const group = groupOf(resource)
    const position = groups.indexOf(group)
    if (position < 0) {
      return [finding(file, 0, `'${group}' is not a known group; add it to the list of groups`)]
    }
    return importsOf(file).flatMap(({ path, offset }) => {
      const used = path === undefined ? undefined : resourceOf(path)
      if (!used || groups.indexOf(groupOf(used)) <= position) return []
      return [finding(file, offset, `'${group}' may not import '${groupOf(used)}'`)]
    })
  })
}

/** No two resources import each other, directly or through others. */
export function findCycles(files: readonly SourceFile[]): Finding[] {
  const graph = new Map<string, Set<string>>()
  for (const file of files) {
    const resource = resourceOf(file.path)
    if (!resource) continue
    const imported = graph.get(resource) ?? new Set()
    graph.set(resource, imported)
    for (const { path } of importsOf(file)) {
      const used = path === undefined ? undefined : resourceOf(path)
      if (used && used !== resource) imported.add(used)
    }
  }

  const cycles = new Set<string>()
  const finished = new Set<string>()
  const walk = (resource: string, trail: readonly string[]): void => {
    const start = trail.indexOf(resource)
    if (start >= 0) {
      cycles.add([...trail.slice(start), resource].join(' → '))
      return
    }
    if (finished.has(resource)) return
    for (const next of graph.get(resource) ?? []) walk(next, [...trail, resource])
    finished.add(resource)
  }
  for (const resource of graph.keys()) walk(resource, [])
  return [...cycles].map((cycle) => `${cycle}: move what they share to a folder of its own`)
}
