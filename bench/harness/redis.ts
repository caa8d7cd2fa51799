import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { freePort, isListening } from '../../scripts/ports.mjs'
import type { CleanUp } from './clean-up.js'
import { temporaryFolder } from './databases.js'

const startMilliseconds = 10_000

export function isRedisInstalled(): boolean {
  return spawnSync('redis-server', ['--version']).error === undefined
}

/** Starts a private Redis server on loopback. @returns its port. */
export async function startRedis(opened: CleanUp): Promise<number> {
  const folder = await temporaryFolder(opened)
  const port = await freePort()
  const options = `--port ${port} --bind 127.0.0.1 --appendonly no --dir ${folder}`
  const child = spawn('redis-server', [...options.split(' '), '--save', ''], { stdio: 'ignore' })
  opened.add(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGKILL')) await ended
  })
  const deadline = performance.now() + startMilliseconds
  while (!(await isListening(port))) {
    if (performance.now() > deadline) throw new Error('The Redis server did not start')
    await sleep(20)
  }
  return port
}
