import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findChromium } from './find-program.mjs'
import { findMysqlServer, startPrivateMysql } from './private-mysql.mjs'
import { findPostgresServer, startPrivatePostgres } from './private-postgres.mjs'
import { startGuard } from './process-guard.mjs'
import { quickFolder } from './quick-folder.mjs'
import { otherSqliteDrivers } from './sqlite-drivers.mjs'
import { TestPool } from './test-pool.mjs'
import { quickTests, testProcesses } from './test-processes.mjs'
import { printSummary, repeatFailed } from './test-summary.mjs'

/**
 * Runs the tests: `pnpm test [part of a path…] [--full] [--every-pair] [--option-of-node…]`.
 *
 * Without a part of a path it is a quick run, unless there is `--full` or `CI=true`: what a change
 * most likely breaks, on SQLite alone.
 *
 * Node 20's own test runner takes no globs, does not tell which process a failure is of, and starts
 * with the first file rather than the slowest.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const searchedFolders = ['test', 'packages']
const skippedFolders = new Set(['node_modules', 'dist'])

const quickRunNote = [
  '',
  'This was a quick run: units, architecture and conformance, on SQLite alone.',
  '`pnpm test --full` runs everything; `pnpm test <part of a path>` runs a part of it.',
  '',
].join('\n')

/** The servers on which tests run beside SQLite, by their names in `CHAT_TEST_DATABASES`. */
const servers = {
  mysql: {
    title: 'MYSQL',
    variable: 'CHAT_TEST_MYSQL_URL',
    package: 'mariadb-server',
    example: 'mysql://root@127.0.0.1:3306/',
    isInstalled: () => findMysqlServer() !== undefined,
    start: startPrivateMysql,
  },
  postgres: {
    title: 'POSTGRESQL',
    variable: 'CHAT_TEST_POSTGRES_URL',
    package: 'postgresql',
    example: 'postgres://postgres@127.0.0.1:5432/',
    isInstalled: () => findPostgresServer() !== undefined,
    start: startPrivatePostgres,
  },
}

const skippedWarning = (server) =>
  [
    '',
    '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!',
    `!!  ${server.title} IS SKIPPED: only a part of what these tests check was checked.`,
    `!!  Install a server (on Debian: apt-get install ${server.package}) and run again, or`,
    `!!  point ${server.variable} at one, such as ${server.example}`,
    '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!',
    '',
  ].join('\n')

/** Those on which a run covers the tests. */
function wantedServers(isQuick) {
  if (isQuick) return []
  const names = process.env.CHAT_TEST_DATABASES?.split(',') ?? Object.keys(servers)
  return Object.entries(servers).flatMap(([name, server]) => (names.includes(name) ? [server] : []))
}

function findTests(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : findTests(path)
      return entry.name.endsWith('.test.ts') ? [path] : []
    })
    .sort()
}

const ownOptions = new Set(['--full', '--every-pair'])

function parseArguments(given) {
  const words = given.filter((word) => word !== '--')
  return {
    isFull: words.includes('--full'),
    isEveryPair: words.includes('--every-pair'),
    nodeOptions: words.filter((word) => word.startsWith('--') && !ownOptions.has(word)),
    // A path as a shell completes it, absolute or relative to the root, filters like a part of it.
    filters: words
      .filter((word) => !word.startsWith('--'))
      .map((word) => (word.startsWith(root) ? relative(root, word) : word.replace(/^\.\//, ''))),
  }
}

async function main() {
  const { isFull, isEveryPair, nodeOptions, filters } = parseArguments(process.argv.slice(2))
  const isQuick = filters.length === 0 && !isFull && process.env.CI !== 'true'
  const allFiles = searchedFolders.flatMap(findTests)
  const files = isQuick
    ? quickTests(allFiles)
    : allFiles.filter(
        (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
      )
  if (files.length === 0) {
    console.error(
      `No test file (*.test.ts) matches: ${filters.join(' ') || 'there is none at all'}`,
    )
    return 1
  }

  const { drivers, problems } = otherSqliteDrivers(root)
  if (problems.length > 0 && process.env.CI === 'true') {
    console.error(problems.join('\n'))
    return 1
  }
  for (const problem of problems) console.log(`\n!!  SKIPPED: ${problem}\n`)

  const guard = startGuard()
  const folder = mkdtempSync(join(quickFolder(), 'parley-run-'))
  guard.watchFolder(folder)
  // For servers of databases that run as another user.
  chmodSync(folder, 0o711)
  // Read by `os.tmpdir()`, here and in all processes of the tests: whatever these leave is removed.
  process.env.TMPDIR = folder
  const environment = { ...process.env, ...(isEveryPair && { CHAT_TEST_EVERY_PAIR: '1' }) }
  if (process.stdout.isTTY && !environment.NO_COLOR) environment.FORCE_COLOR ??= '1'
  // Inside another test run, node would report to that run instead of printing.
  delete environment.NODE_TEST_CONTEXT

  const pool = new TestPool(root, guard)
  const started = []
  const cleanUp = async () => {
    await pool.remove()
    await Promise.all(started.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    guard.release()
  }
  let isStopping = false
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      void cleanUp().finally(() => process.exit(exitCode))
    })
  }

  try {
    await pool.compile(files)
    const wanted = wantedServers(isQuick).filter(({ variable }) => !environment[variable])
    const missing = wanted.filter((server) => !server.isInstalled())
    if (missing.length > 0 && environment.CI === 'true') {
      const packages = missing.map((server) => server.package).join(' and ')
      console.error(`CI=true, but there is no server to test with: install ${packages}.`)
      return 1
    }
    for (const server of missing) console.log(skippedWarning(server))
    for (const server of wanted) {
      if (missing.includes(server)) continue
      const running = await server.start()
      started.push(running)
      environment[server.variable] = running.url
    }
    const startedAt = performance.now()
    const processes = testProcesses(files, { drivers, isQuick })
    const results = []
    const runOptions = { nodeOptions, environment }
    await pool.runAll(processes, runOptions, (result) => {
      const { files, output, seconds, cpuSeconds } = result
      console.log(
        `${output}=== ${files.length === 1 ? files[0] : `${files.length} files`}: ` +
          `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time\n`,
      )
      results.push(result)
    })
    if (isStopping) return 1
    const unstable = environment.CI === 'true' ? await repeatFailed(pool, results, runOptions) : []
    for (const server of missing) console.log(skippedWarning(server))
    if (isQuick) console.log(quickRunNote)
    if (isQuick && findChromium() === undefined) {
      console.log('!!  SKIPPED: the case in a browser, because there is no Chromium.\n')
    }
    return printSummary(results, unstable, performance.now() - startedAt)
  } catch (error) {
    if (!isStopping) console.error(error.errors === undefined ? error : error.message)
    return 1
  } finally {
    if (!isStopping) await cleanUp()
  }
}

process.exitCode = await main()
