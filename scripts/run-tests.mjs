import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

import { findMysqlServer, startPrivateMysql } from './private-mysql.mjs'
import { endGroup, startGuard } from './process-guard.mjs'
import { otherSqliteDrivers } from './sqlite-drivers.mjs'
import { nodeArguments, prepareProcesses, quickTests } from './test-processes.mjs'

/**
 * Runs the tests: `pnpm test [part of a path…] [--full] [--option-of-node…]`.
 *
 * Without a part of a path it is a quick run, unless there is `--full` or `CI=true`: without the
 * slowest tests, and on SQLite alone.
 *
 * Node 20's own test runner takes no globs and calls an empty list of files a success, hence this.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// One that never ends must not hold up continuous integration; no honest one takes this long.
const processTimeoutMilliseconds = 900_000
const searchedFolders = ['test', 'packages']
const skippedFolders = new Set(['node_modules', 'dist'])

const quickRunNote = [
  '',
  'This was a quick run: without the slowest tests, and on SQLite alone.',
  '`pnpm test --full` runs everything; `pnpm test <part of a path>` runs a part of it.',
  '',
].join('\n')
const skippedColumnWarning = [
  '',
  '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!',
  '!!  THE MYSQL COLUMN IS SKIPPED: only half of what these tests check was checked.',
  '!!  Install a server (on Debian: apt-get install mariadb-server) and run again, or',
  '!!  point CHAT_TEST_MYSQL_URL at one, such as mysql://root@127.0.0.1:3306/',
  '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!',
  '',
].join('\n')

function findTests(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : findTests(path)
      return entry.name.endsWith('.test.ts') ? [path] : []
    })
    .sort()
}

function parseArguments(given) {
  const words = given.filter((word) => word !== '--')
  return {
    isFull: words.includes('--full'),
    nodeOptions: words.filter((word) => word.startsWith('--') && word !== '--full'),
    // A path as a shell completes it, absolute or relative to the root, filters like a part of it.
    filters: words
      .filter((word) => !word.startsWith('--'))
      .map((word) => (word.startsWith(root) ? relative(root, word) : word.replace(/^\.\//, ''))),
  }
}

/** Ends with the exit code of the tests. */
async function runTests(entries, { nodeOptions, environment, notes, guard, onStart }) {
  const heldBack = []
  const suites = []
  const holdsSummaryBack = notes.length > 0 || environment.CI === 'true'
  const child = spawn(
    process.execPath,
    [
      ...nodeArguments('spec'),
      `--test-timeout=${processTimeoutMilliseconds}`,
      ...nodeOptions,
      ...entries,
    ],
    {
      cwd: root,
      detached: true,
      env: environment,
      stdio: ['ignore', holdsSummaryBack ? 'pipe' : 'inherit', 'inherit'],
    },
  )
  onStart(child)
  if (child.pid !== undefined) guard.watchGroup(child.pid)
  const ending = new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error)
      resolve(1)
    })
    child.once('close', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })

  if (holdsSummaryBack) {
    // The notes go before node's summary, because the summary is what people read last.
    for await (const line of createInterface({ input: child.stdout })) {
      const text = stripVTControlCharacters(line)
      const startsSummary = text.startsWith('ℹ tests ')
      const suite = /^[✔✖] (.+) \((\d+)[.\d]*ms\)$/u.exec(text)
      if (suite) suites.push({ title: suite[1], seconds: Number(suite[2]) / 1000 })
      if (heldBack.length > 0 || startsSummary) heldBack.push(line)
      else console.log(line)
    }
  }
  const exitCode = await ending
  if (holdsSummaryBack) {
    for (const note of [...notes, ...slowest(suites)]) console.log(note)
    for (const line of heldBack) console.log(line)
  }
  return exitCode
}

/** The ten suites that took longest, for those who want to make the tests faster. */
function slowest(suites) {
  const sorted = suites.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10)
  return [
    'The slowest suites, in seconds:',
    ...sorted.map(({ title, seconds }) => `  ${seconds.toFixed(1).padStart(6)}  ${title}`),
    '',
  ]
}

async function main() {
  const { isFull, nodeOptions, filters } = parseArguments(process.argv.slice(2))
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
  const environment = { ...process.env }
  if (process.stdout.isTTY && !environment.NO_COLOR) environment.FORCE_COLOR ??= '1'
  // Inside another test run, node would report to that run instead of printing.
  delete environment.NODE_TEST_CONTEXT

  let processes
  try {
    processes = await prepareProcesses(root, files, {
      drivers,
      isQuick,
      watchFolder: (folder) => guard.watchFolder(folder),
    })
  } catch (error) {
    guard.release()
    console.error(error.errors === undefined ? error : error.message)
    return 1
  }
  let mysql
  let tests
  const cleanUp = async () => {
    if (tests) await endGroup(tests)
    await mysql?.stop()
    processes.remove()
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
    if (!isQuick && !environment.CHAT_TEST_MYSQL_URL) {
      delete environment.CHAT_TEST_MYSQL_URL
      if (findMysqlServer()) {
        mysql = await startPrivateMysql()
        environment.CHAT_TEST_MYSQL_URL = mysql.url
      } else if (environment.CI === 'true') {
        console.error('CI=true, but there is no MySQL server to test with: install mariadb-server.')
        return 1
      } else {
        console.log(skippedColumnWarning)
      }
    }
    return await runTests(processes.entries, {
      nodeOptions,
      environment,
      notes: [
        ...(isQuick || environment.CHAT_TEST_MYSQL_URL ? [] : [skippedColumnWarning]),
        ...(isQuick ? [quickRunNote] : []),
      ],
      guard,
      onStart: (child) => (tests = child),
    })
  } finally {
    if (!isStopping) await cleanUp()
  }
}

process.exitCode = await main()
