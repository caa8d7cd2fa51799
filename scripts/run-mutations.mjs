import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findProblems, readMutations, withFault } from './mutation-list.mjs'
import { findMysqlServer, startPrivateMysql } from './private-mysql.mjs'
import { startGuard } from './process-guard.mjs'
import { TestPool } from './test-pool.mjs'
import { testProcesses } from './test-processes.mjs'
import { copyWorkTree } from './work-copy.mjs'

/**
 * Puts the faults of `test/mutations/` into the code, one after the other, and runs the tests that
 * must notice: `pnpm test:mutations [word…] [--limit=seconds]`. A word selects the faults whose
 * title, file, area or tests hold it.
 *
 * The faults go into a copy of the work tree, never into the user's files.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** A test that waits in vain takes half a minute to say so, in each of several columns. */
const defaultLimitSeconds = 240
/** The tests of all faults together, without any. */
const baselineLimitSeconds = 1_800

/** Of what the tests have written, where they fail without a fault. */
const shownLines = 300

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]

function parseArguments(given) {
  const words = given.filter((word) => word !== '--')
  const limit = words.find((word) => word.startsWith('--limit='))?.slice('--limit='.length)
  const unknown = words.find((word) => word.startsWith('--') && !word.startsWith('--limit='))
  if (unknown !== undefined)
    throw new Error(`${unknown} is not an option. There is --limit=seconds.`)
  const limitSeconds = limit === undefined ? defaultLimitSeconds : Number(limit)
  if (!(limitSeconds > 0)) throw new Error('--limit takes a number of seconds.')
  return { filters: words.filter((word) => !word.startsWith('--')), limitSeconds }
}

function select(faults, filters) {
  if (filters.length === 0) return faults
  return faults.filter((fault) => {
    const { area, title, file, tests } = fault
    const text = [area, title, file, ...tests].join('\n').toLowerCase()
    return filters.some((filter) => text.includes(filter.toLowerCase()))
  })
}

/** Runs tests in the copy. */
class TestRuns {
  #pool
  #isStopped = false

  constructor(copy, guard) {
    this.copy = copy
    this.guard = guard
  }

  /** @returns `outcome`: `passed`, `failed`, `ran nothing`, `hung` or `died`, and what the tests have written. */
  async run({ tests, cases = [], mysqlUrl, limitSeconds }) {
    const environment = { ...process.env }
    // Inside another test run, node would report to that run. CI asks for MySQL in every run.
    for (const name of ['NODE_TEST_CONTEXT', 'CI', 'CHAT_TEST_MYSQL_URL']) delete environment[name]
    if (mysqlUrl !== undefined) environment.CHAT_TEST_MYSQL_URL = mysqlUrl
    environment.CHAT_TEST_DATABASES = 'sqlite,mysql'
    const nodeOptions = cases.map((title) => `--test-name-pattern=${escapePattern(title)}`)
    this.#pool = new TestPool(this.copy, this.guard)
    const results = []
    try {
      await this.#pool.compile(tests)
      // The usual driver of SQLite is enough: faults are in what all of them share.
      const options = { nodeOptions, environment, limitSeconds }
      await this.#pool.runAll(testProcesses(tests), options, (result) => results.push(result))
    } finally {
      await this.#pool.remove()
    }
    if (this.#isStopped) throw new Error('The run was stopped.')
    return {
      outcome: outcomeOf(results),
      output: results.map(({ output }) => output).join('\n'),
    }
  }

  /** Ends the tests that run now; `run` then throws. */
  async stop() {
    this.#isStopped = true
    await this.#pool?.remove()
  }
}

function outcomeOf(results) {
  const sum = (kind) => results.reduce((total, { counts }) => total + (counts[kind] ?? 0), 0)
  if (sum('fail') > 0) return 'failed'
  // Node cancels what still waits when nothing is left that could happen: a hang, too.
  if (results.some(({ outcome }) => outcome === 'late') || sum('cancelled') > 0) return 'hung'
  if (results.some(({ outcome }) => typeof outcome === 'string')) return 'died'
  if (results.some(({ isPassed }) => !isPassed)) return 'failed'
  return sum('pass') > 0 ? 'passed' : 'ran nothing'
}

function escapePattern(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** The tests of all faults, in as few runs as their databases and cases allow. */
function groupTests(faults) {
  const groups = new Map()
  for (const { tests, cases, database } of faults) {
    const key = `${database}/${cases === undefined}`
    const group = groups.get(key) ?? { tests: new Set(), cases: new Set(), database }
    for (const path of tests) group.tests.add(path)
    for (const title of cases ?? []) group.cases.add(title)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ tests, cases, database }) => ({
    tests: [...tests],
    cases: [...cases],
    database,
  }))
}

/** Whether all tests are green without any fault. */
async function checkBaseline(runs, faults, mysqlUrl) {
  for (const { tests, cases, database } of groupTests(faults)) {
    const url = database === undefined ? undefined : mysqlUrl
    const limitSeconds = baselineLimitSeconds
    const { outcome, output } = await runs.run({ tests, cases, mysqlUrl: url, limitSeconds })
    if (outcome !== 'passed') {
      console.error(output.split('\n').slice(-shownLines).join('\n'))
      console.error(`Without any fault, the tests ${outcome}: ${tests.join(' ')}`)
      return false
    }
  }
  return true
}

async function tryFault(runs, copy, fault, mysqlUrl, limitSeconds) {
  const path = join(copy, fault.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, withFault(source, fault))
  try {
    const { tests, cases, database } = fault
    const url = database === undefined ? undefined : mysqlUrl
    const { outcome } = await runs.run({ tests, cases, mysqlUrl: url, limitSeconds })
    if (outcome === 'failed') return 'noticed'
    return { hung: 'HUNG', died: 'DIED' }[outcome] ?? 'UNNOTICED'
  } finally {
    writeFileSync(path, source)
  }
}

async function tryFaults(runs, copy, faults, mysqlUrl, limitSeconds) {
  const missed = []
  for (const [index, fault] of faults.entries()) {
    const begin = performance.now()
    const result = await tryFault(runs, copy, fault, mysqlUrl, limitSeconds)
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
    const line = `${result.padEnd(9)} ${seconds.padStart(6)} s  ${fault.area}: ${fault.title}`
    console.log(`${String(index + 1).padStart(3)}/${faults.length} ${line}`)
    if (result !== 'noticed') missed.push(line)
  }
  console.log(`\n${faults.length - missed.length} of ${faults.length} faults were noticed.`)
  for (const line of missed) console.log(line)
  return missed.length === 0
}

/** The server for the faults that need one. @returns undefined if there is none. */
async function findMysql(faults) {
  if (!faults.some(({ database }) => database === 'mysql')) return { stop: async () => {} }
  const url = process.env.CHAT_TEST_MYSQL_URL
  if (url) return { url, stop: async () => {} }
  return findMysqlServer() ? startPrivateMysql() : undefined
}

async function main() {
  const { filters, limitSeconds } = parseArguments(process.argv.slice(2))
  const faults = select(readMutations(root), filters)
  if (faults.length === 0) throw new Error(`No fault matches: ${filters.join(' ')}`)
  const problems = faults.flatMap((fault) =>
    findProblems(root, fault).map((problem) => `${fault.area}: ${fault.title}: ${problem}`),
  )
  if (problems.length > 0) throw new Error(problems.join('\n'))

  const guard = startGuard()
  const folder = mkdtempSync(join(tmpdir(), 'parley-mutations-'))
  guard.watchFolder(folder)
  const copy = join(folder, 'copy')
  const runs = new TestRuns(copy, guard)
  let mysql
  const cleanUp = async () => {
    await runs.stop()
    await mysql?.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    guard.release()
  }
  let isStopping = false
  for (const [signal, exitCode] of signals) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      void cleanUp().finally(() => process.exit(exitCode))
    })
  }

  try {
    mysql = await findMysql(faults)
    if (mysql === undefined) {
      throw new Error('Some faults need a MySQL server: install one or set CHAT_TEST_MYSQL_URL.')
    }
    copyWorkTree(root, copy)
    console.log(`Running the tests of ${faults.length} faults without any fault.`)
    if (!(await checkBaseline(runs, faults, mysql.url))) return 1
    return (await tryFaults(runs, copy, faults, mysql.url, limitSeconds)) ? 0 : 1
  } catch (error) {
    // The copy goes while tests run in it.
    if (isStopping) return 1
    throw error
  } finally {
    if (!isStopping) await cleanUp()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
