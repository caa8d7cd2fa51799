import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, resolve } from 'node:path'

import type { Knex } from 'knex'

import { driverError } from './pools.js'
import type { SqliteDriver } from './sqlite-pools.js'

/** Matches the names of packages or files of SQLite drivers and their forks. */
const sqliteName = /sqlite|libsql|sqlcipher/i

/**
 * The SQLite libraries that this process has loaded: the files of native drivers, and
 * `node:sqlite`, which is loaded when a module imports it.
 *
 * Libraries of other threads are found on Linux only.
 */
export function loadedSqliteLibraries(): string[] {
  const files = new Set([...requiredFiles(), ...mappedFiles()].filter(isSqlite))
  // Undocumented, but the only list of the loaded built-in modules.
  // oxlint-disable-next-line no-restricted-globals -- read only; there is no other source
  const builtins: unknown = Reflect.get(process, 'moduleLoadList')
  const usesNodeSqlite = Array.isArray(builtins) && builtins.includes('NativeModule sqlite')
  return [...(usesNodeSqlite ? ['node:sqlite'] : []), ...files]
}

/**
 * Loads the library of a driver, which better-sqlite3 does only when it opens a file.
 *
 * @throws {Error} that names the remedy if it was not compiled, or for another version of Node.js.
 */
export function loadLibrary(driver: SqliteDriver, pool: Knex): void {
  if (driver !== 'better-sqlite3') return
  const { driver: Library, connectionSettings } = pool.client as BetterSqlite
  const nativeBinding = connectionSettings.options?.nativeBinding
  try {
    new Library(':memory:', nativeBinding === undefined ? {} : { nativeBinding }).close()
  } catch (error) {
    throw driverError(driver, error)
  }
}

interface BetterSqlite {
  readonly driver: new (filename: string, options: { nativeBinding?: string }) => { close(): void }
  readonly connectionSettings: { readonly options?: { readonly nativeBinding?: string } }
}

/**
 * The problem if more than one SQLite library is loaded. Each releases the locks of the others: on
 * Linux and macOS the locks on a file belong to the process, and end when any part of it closes the
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

/** Since this version, the rows of an FTS5 table that stores no texts can be deleted. */
const [leastMajor, leastMinor] = [3, 43]

/** @throws {Error} if a SQLite library cannot maintain the index for searches. */
export function requireSqliteFeatures(version: string, hasFts5: boolean): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNewEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  if (isNewEnough && hasFts5) return
  throw new Error(
    `The chat needs SQLite ${leastMajor}.${leastMinor} or newer with FTS5, but the driver's library ` +
      `is ${version} ${hasFts5 ? 'with' : 'without'} FTS5. Use a newer version of the driver; ` +
      'node:sqlite has FTS5 from Node.js 22.16 on.',
  )
}

/** Native modules that this thread has loaded with `require`, as every driver does. */
function requiredFiles(): string[] {
  // The path does not matter: the cache is global.
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

/** Whether the name of the package or of the file matches; parent folders are ignored. */
function isSqlite(path: string): boolean {
  const inPackage = /.*[\\/]node_modules[\\/](.*)$/.exec(path)?.[1]
  return sqliteName.test(inPackage ?? basename(path))
}
