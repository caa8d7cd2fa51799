import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'

/**
 * The drivers of SQLite, besides the usual one, that the tests can run with.
 *
 * @returns them, and what keeps others from being tested. One that was compiled for another
 *   version of Node is left out with a line of its own, in continuous integration too: it was
 *   tested with the version that it was compiled for.
 */
export function otherSqliteDrivers(root) {
  // The tests are to run with this one alone.
  if (process.env.CHAT_TEST_SQLITE_DRIVER) return { drivers: [], problems: [] }
  const drivers = isBuiltin('node:sqlite') ? ['node:sqlite'] : []
  const problems = []
  try {
    const Database = createRequire(join(root, 'test', 'package.json'))('better-sqlite3')
    new Database(':memory:').close()
    drivers.push('better-sqlite3')
  } catch (error) {
    const problem = `better-sqlite3 cannot be tested: ${error.message}`
    if (error.code === 'ERR_DLOPEN_FAILED') console.log(`\n!!  SKIPPED: ${problem}\n`)
    else problems.push(problem)
  }
  return { drivers, problems }
}
