import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { endGroup, startGuard } from './process-guard.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Ends a program that hangs, not one on a busy machine. */
const timeoutSeconds = 1_200

/**
 * Runs a program to its end and answers its output; ends it and all its children after a time.
 *
 * @throws {Error} with the output if it fails or takes too long.
 */
export async function runCommand(program, parameters, options = {}) {
  const { cwd = root, environment = {} } = options
  const guard = startGuard()
  const child = spawn(program, parameters, {
    cwd,
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) guard.watchGroup(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  }
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${code ?? signal}`),
    )
  })
  let timer
  const timeout = new Promise((resolve) => {
    timer = setTimeout(() => resolve(`took longer than ${timeoutSeconds} s`), timeoutSeconds * 1000)
  })
  const failure = await Promise.race([exited, timeout])
  clearTimeout(timer)
  const outputEnded = new Promise((resolve) => child.once('close', resolve))
  const isOutputOpen = child.stdout.readable || child.stderr.readable
  await endGroup(child)
  guard.release()
  if (isOutputOpen && child.pid !== undefined) await outputEnded
  if (failure) throw new Error(`${program} ${parameters.join(' ')}: ${failure}\n${output}`)
  return output
}

/** Runs pnpm in the version that the root's package.json pins. */
export function runPnpm(parameters, options) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const pinned = packageManager.split('+')[0]
  return runCommand('npx', ['-y', pinned, ...parameters], options)
}

/** Runs a program that the root's devDependencies install. */
export function runInstalled(name, parameters, options) {
  return runCommand(join(root, 'node_modules', '.bin', name), parameters, options)
}
