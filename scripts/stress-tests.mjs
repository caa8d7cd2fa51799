import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { endGroup, startGuard } from './process-guard.mjs'

/**
 * Runs every test several times, the last times beside processes that keep the machine busy, and
 * prints each failure with its title: `pnpm test:stress [option of pnpm test…]`.
 *
 * A test that fails in one of them depends on chance.
 */
const quietRuns = 3
const busyRuns = 2
const busyProcesses = 4

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const guard = startGuard()
const running = new Set()

function start(parameters, options) {
  const child = spawn(process.execPath, parameters, { cwd: root, detached: true, ...options })
  if (child.pid !== undefined) guard.watchGroup(child.pid)
  running.add(child)
  return child
}

async function end(child) {
  await endGroup(child)
  running.delete(child)
}

/** @returns whether all tests have passed. */
async function run(title) {
  const started = performance.now()
  // With CI=true, what failed would be run again.
  const environment = { ...process.env, NO_COLOR: '1' }
  delete environment.CI
  const tests = start(['scripts/run-tests.mjs', '--full', ...process.argv.slice(2)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  tests.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await new Promise((resolve) => tests.once('close', resolve))
  running.delete(tests)
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(`${title}: ${code === 0 ? 'passed' : 'FAILED'} in ${minutes} minutes`)
  for (const [line] of output.matchAll(/^(?:FAILED: .*|ℹ (?:tests|fail) \d+)$/gm))
    console.log(`  ${line}`)
  return code === 0
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void Promise.all([...running].map(end)).finally(() => process.exit(1)))
}

let hasFailed = false
for (let number = 1; number <= quietRuns; number += 1) {
  if (!(await run(`run ${number}`))) hasFailed = true
}
const busy = Array.from({ length: busyProcesses }, () =>
  start(['--eval', 'for (;;) Math.random()'], { stdio: 'ignore' }),
)
for (let number = 1; number <= busyRuns; number += 1) {
  if (!(await run(`run ${quietRuns + number}, on a busy machine`))) hasFailed = true
}
await Promise.all(busy.map(end))
guard.release()
process.exitCode = hasFailed ? 1 : 0
