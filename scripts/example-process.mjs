import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { compileTests } from './compile-tests.mjs'
import { ended, endGroup } from './process-guard.mjs'
import { root } from './run-command.mjs'

/** Compiles the applications in examples/, and runs them for scripts that talk to them. */

const programs = [
  'examples/cluster/proxy.ts',
  'examples/cluster/server.ts',
  'examples/cluster/start.ts',
  'examples/embedded-product/server.ts',
  'examples/express/server.ts',
  'examples/nest-postgres/server.ts',
  'examples/observability/server.ts',
]

const startTimeoutSeconds = 300
const stopTimeoutSeconds = 60

const running = new Set()
let compiling

/** Once for all: a loader that compiles modules takes several seconds of each process. */
async function compiledProgram(guard, file) {
  compiling ??= compilePrograms(guard)
  return join(await compiling, file.replace(/\.ts$/, '.mjs'))
}

async function compilePrograms(guard) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-programs-'))
  guard.watchFolder(folder)
  await compileTests(realpathSync(root), programs, folder)
  return folder
}

/**
 * Starts an example, on a port of its own, and waits until it has printed where it listens.
 *
 * @param guard ends it if this process ends otherwise.
 * @throws {Error} with what it printed, if it ends or takes longer than a minute.
 */
export async function startExample(guard, name, parameters) {
  const child = spawn(
    process.execPath,
    [await compiledProgram(guard, `examples/${name}/server.ts`), '--port', '0', ...parameters],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  running.add(child)
  if (child.pid !== undefined) guard.watchGroup(child.pid)
  const example = { name, child, output: '' }
  const listeners = new Set()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      example.output += text
      for (const listener of listeners) listener()
    })
  }

  /** Waits until the output matches; undefined when the process ends or the time is over before. */
  example.waitForOutput = async (pattern, seconds) => {
    const deadline = Date.now() + seconds * 1000
    for (;;) {
      const found = pattern.exec(example.output)
      const left = deadline - Date.now()
      if (found || left <= 0 || child.exitCode !== null || child.signalCode !== null) return found
      await new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          listeners.delete(wake)
          child.off('exit', wake)
          resolve()
        }
        const timer = setTimeout(wake, left)
        listeners.add(wake)
        child.once('exit', wake)
      })
    }
  }

  const line = await example.waitForOutput(/listens on (https?:\/\/\S+)\s/, startTimeoutSeconds)
  if (!line) {
    const reason = child.exitCode === null ? `within ${startTimeoutSeconds} s` : 'and ended'
    throw new Error(`it printed no address ${reason}\nIt printed:\n${example.output}`)
  }
  example.address = line[1].replace(/\/$/, '')
  return example
}

/** The sample users of an example: what its `curl -u EMAIL:KEY` lines hold. */
export async function readSampleUsers(example, seconds) {
  await example.waitForOutput(/(curl .*-u \S+:\S+ [^]*){2}\n/, seconds)
  return [...example.output.matchAll(/curl .*?-u ['"]?([^\s:'"]+):([^\s'"]+)/g)].map(
    ([, email, key]) => ({ email, key }),
  )
}

/** Ends an example as a service manager does, while a client still waits for events. */
export async function stopExample(example) {
  const { child } = example
  const started = Date.now()
  child.kill('SIGTERM')
  let timer
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, stopTimeoutSeconds * 1000)
  })
  await Promise.race([ended(child), timeout])
  clearTimeout(timer)
  if (child.exitCode !== 0) {
    throw new Error(
      `ended with ${child.exitCode ?? child.signalCode ?? 'nothing'} instead of 0 ` +
        `${Date.now() - started} ms after SIGTERM`,
    )
  }
  await endGroup(child)
  running.delete(child)
}

/** Runs a program of the examples to its end, which must come by itself and in time. */
export async function runToEnd(
  guard,
  parameters,
  file = 'examples/express/server.ts',
  seconds = startTimeoutSeconds,
) {
  const child = spawn(process.execPath, [await compiledProgram(guard, file), ...parameters], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  if (child.pid !== undefined) guard.watchGroup(child.pid)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => (printed[name] += text))
  }
  const timer = setTimeout(() => void endGroup(child), seconds * 1000)
  await Promise.all([ended(child), once(child.stderr, 'close'), once(child.stdout, 'close')])
  clearTimeout(timer)
  running.delete(child)
  return { code: child.exitCode, ...printed }
}

/** Ends every example that still runs, however it ends. */
export async function endExamples() {
  for (const child of running) await endGroup(child)
  running.clear()
  if (compiling) rmSync(await compiling, { recursive: true, force: true })
  compiling = undefined
}
