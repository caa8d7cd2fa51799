import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { compileTests } from './compile-tests.mjs'
import { endGroup } from './process-guard.mjs'

/** What tests start in processes of their own, compiled with them. */
const programs = [
  'packages/core/src/command-line/parley.ts',
  'examples/embedded-product/server.ts',
  'examples/express/server.ts',
  'test/embedding/clean-process.ts',
  'test/embedding/zulip-js-program.ts',
  'test/faults/chat-server.ts',
  'test/faults/connected-process.ts',
  'test/faults/consumer-process.ts',
  'test/faults/import-process.ts',
  'test/faults/sqlite-product.ts',
]

/** One more than cores: a process that waits for a browser, a database or the time leaves its core to others. */
const concurrency = Math.min(availableParallelism() + 1, 8)
/** One that never ends must not hold up continuous integration; no honest one takes this long. */
const processTimeoutSeconds = 900

/**
 * Most code runs a few times only: to optimize it takes a fifth of the time of a run, and to compile
 * it simply at once saves an eighth. Later versions of Node do not have the first option.
 */
const engineOptions = process.versions.node.startsWith('20.')
  ? ['--interrupt-budget=1000000', '--always-sparkplug']
  : []

const here = dirname(fileURLToPath(import.meta.url))
const loader = join(here, 'load-tests.mjs')
const reporter = pathToFileURL(join(here, 'test-report.mjs')).href

/** With which Node's test runner ends in each process; the whole run ends with their sums. */
const ownSummary = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+\n/gm

/** Compiled tests of a work tree, and the processes that run them. */
export class TestPool {
  #children = new Set()
  #isStopped = false

  /** @param root absolute: of the work tree, into which `compile` looks. */
  constructor(root, guard) {
    this.root = realpathSync(root)
    this.guard = guard
    this.folder = mkdtempSync(join(tmpdir(), 'parley-tests-'))
    guard.watchFolder(this.folder)
  }

  async compile(files) {
    await compileTests(this.root, [...new Set([...files, ...programs])], this.folder)
  }

  /**
   * Runs `{ files, environment, isWaiting }` in as many processes, some at a time, in their order. One
   * place is for those that mostly wait, as long as there are any: they run beside others that
   * compute.
   *
   * @param options of `run`.
   * @param onResult gets the result of each process when it has ended.
   */
  async runAll(processes, options, onResult) {
    const waiting = [...processes]
    const worker = async (_, index) => {
      while (waiting.length > 0 && !this.#isStopped) {
        const takesLast = index === 0 && waiting.at(-1).isWaiting
        const next = takesLast ? waiting.pop() : waiting.shift()
        onResult(await this.run(next, options))
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
  }

  /**
   * @param options.environment of all processes; that of one process is added.
   * @returns `{ files, environment, isPassed, outcome, output, seconds, counts, failures,
   *   secondsByFile, cpuSeconds }`; `outcome` is an exit code, the signal that ended it, or `late`.
   *   The last four are empty if the process has ended before its tests.
   */
  async run(
    { files, environment = {} },
    { nodeOptions = [], environment: common, limitSeconds = processTimeoutSeconds },
  ) {
    const reportFile = join(mkdtempSync(join(this.folder, 'report-')), 'report.json')
    const started = performance.now()
    const child = spawn(
      process.execPath,
      [
        '--conditions=@parley/source',
        '--enable-source-maps',
        ...engineOptions,
        '--test-reporter=spec',
        '--test-reporter-destination=stdout',
        `--test-reporter=${reporter}`,
        `--test-reporter-destination=${reportFile}`,
        ...nodeOptions,
        loader,
        this.folder,
        ...files,
      ],
      {
        cwd: this.root,
        detached: true,
        env: { ...common, CHAT_TEST_RUN_FOLDER: this.folder, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    this.#children.add(child)
    if (child.pid !== undefined) this.guard.watchGroup(child.pid)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    }
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      void endGroup(child)
    }, limitSeconds * 1000)
    const outcome = await new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('close', (code, signal) => resolve(code ?? signal))
    })
    clearTimeout(timer)
    // What its tests have left running.
    await endGroup(child)
    if (child.pid !== undefined) this.guard.forgetGroup(child.pid)
    this.#children.delete(child)
    return {
      files,
      environment,
      isPassed: outcome === 0,
      outcome: isLate ? 'late' : outcome,
      output: output.replaceAll(ownSummary, ''),
      seconds: (performance.now() - started) / 1000,
      ...readReport(reportFile),
    }
  }

  /** Ends what runs, and removes what was compiled. */
  async remove() {
    this.#isStopped = true
    await Promise.all([...this.#children].map((child) => endGroup(child)))
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The process has ended before its tests: there is no file, or nothing in it.
    return { counts: {}, failures: [], secondsByFile: {}, cpuSeconds: 0 }
  }
}
