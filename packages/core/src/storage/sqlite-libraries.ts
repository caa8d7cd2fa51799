import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, resolve } from 'node:path'

import type { Knex } from 'knex'

import type { SqliteDriver } from './sqlite-pools.js'

/** What drivers of SQLite, and their forks, call their packages or their files. */
const sqliteName = /sqlite|libsql|sqlcipher/i

/**
 * The SQLite libraries that this process has loaded: the files of native drivers, and
 * `node:sqlite`, which is loaded when something imports it.
 *
 * Other threads' are found on Linux only.
 */
export function loadedSqliteLibraries(): string[] {
  const files = new Set([...requiredFiles(), ...mappedFiles()].filter(isSqlite))
  // Undocumented, but the only list there is of the parts of Node.js that are in use.
  // oxlint-disable-next-line no-restricted-globals -- nothing else says it, and nothing is changed
  const builtins: unknown = Reflect.get(process, 'moduleLoadList')
  const usesNodeSqlite = Array.isArray(builtins) && builtins.includes('NativeModule sqlite')
  return [...(usesNodeSqlite ? ['node:sqlite'] : []), ...files]
}

/**
 * Loads the library of a driver, which better-sqlite3 does only when it opens something.
 *
 * @throws {Error} if it was compiled for another version of Node.js.
 */
export function loadLibrary(driver: SqliteDriver, pool: Knex): void {
  if (driver !== 'better-sqlite3') return
  const { driver: Library, connectionSettings } = pool.client as BetterSqlite
  const nativeBinding = connectionSettings.options?.nativeBinding
  new Library(':memory:', nativeBinding === undefined ? {} : { nativeBinding }).close()
}

interface BetterSqlite {
  readonly driver: new (filename: string, options: { nativeBinding?: string }) => { close(): void }
  readonly connectionSettings: { readonly options?: { readonly nativeBinding?: string } }
}

/**
 * What is wrong if more than one SQLite library is loaded. Each drops the locks of the others: on
 * Linux and macOS the locks on a file are the process's, and end when any part of it closes the
 * file.
 */
export function severalLibrariesProblem(
  driver: SqliteDriver,
  filename: string,
  libraries: readonly string[] = loadedSqliteLibraries(),
): string | undefined {
  if (libraries.length < 2) return undefined
  return (
    `The chat uses '${driver}' for ${filename}, but this process has loaded several SQLite ` +
    `libraries: ${libraries.join(', ')}. Two of them destroy a file that both have open. ` +
    'Set database.client to the driver that your product uses, and use no other on the same ' +
    'file. If the others open other files only, set allowOtherSqliteLibraries: true.'
  )
}

/** Native modules that this thread has loaded with `require`, as every driver loads its own. */
function requiredFiles(): string[] {
  // Any path will do: the cache is one for all of them.
  return Object.keys(createRequire(resolve('index.js')).cache)
    .filter((path) => path.endsWith('.node'))
    .map((path) => {
      try {
        return realpathSync(path)
      } catch {
        return path
      }
    })
}

/** Native modules of all threads, on Linux. */
function mappedFiles(): string[] {
  let maps: string
  try {
    maps = readFileSync('/proc/self/maps', 'utf8')
  } catch {
    return []
  }
  return [...maps.matchAll(/\/.*\.node$/gm)].map(([path]) => path)
}

/** Whether the package's name or the file's says so; folders of the product do not count. */
function isSqlite(path: string): boolean {
  const inPackage = /.*[\\/]node_modules[\\/](.*)$/.exec(path)?.[1]
  return sqliteName.test(inPackage ?? basename(path))
}
