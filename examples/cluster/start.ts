import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { exitWith } from '../support/arguments.js'
import { Cluster } from './cluster.js'
import { Load } from './load.js'
import type { Part } from './part.js'

const usage = `Options:
  --kill            kills each process once with SIGKILL, one after the other, and ends
  --seconds NUMBER  how long to run at least, killing all of them again and again with --kill
                    (default: until Ctrl-C)
  --sqlite          an SQLite file, as where neither MariaDB nor MySQL is installed
  --help            prints this`

/** After a kill, everybody must reach everybody again within this time. */
const recoverySeconds = 90

const options = readOptions()
const startedAt = performance.now()
const over = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.abort())

let isRight = false
try {
  const cluster = await Cluster.start({ isFile: options.sqlite, report: print })
  try {
    isRight = await run(cluster)
  } finally {
    await cluster.stop()
  }
} catch (error) {
  print(`The cluster has failed: ${(error as Error).message}`)
}
// Nothing is open any more, except for what a failure has left.
process.exit(isRight ? 0 : 1)

async function run(cluster: Cluster): Promise<boolean> {
  const load = new Load(cluster.origin)
  print(`The cluster listens on ${cluster.origin}; kill any of its processes`)
  await load.start()
  const printing = setInterval(() => printState(cluster, load), 1000)
  let kills = 0
  try {
    if (options.kill) kills = await killAll(cluster, load)
    else await untilOver(options.seconds)
  } finally {
    clearInterval(printing)
  }
  await load.stop()

  for (const problem of load.problems) print(`PROBLEM: ${problem}`)
  const outcome = load.problems.length === 0 ? 'exactly once and in order' : 'NOT RIGHT, see above'
  print(
    `${load.sent} messages were sent and acknowledged while ${kills} processes were killed; ` +
      `each of ${load.readers} readers got them ${outcome}`,
  )
  return load.problems.length === 0
}

/** @returns how many processes were killed. */
async function killAll({ parts }: Cluster, load: Load): Promise<number> {
  let kills = 0
  do {
    for (const part of parts) {
      if (over.signal.aborted) return kills
      await killOne(part, load)
      kills += 1
    }
  } while (secondsSince(startedAt) < (options.seconds ?? 0))
  return kills
}

async function killOne(part: Part, load: Load): Promise<void> {
  const { processId } = part
  if (processId === undefined) throw new Error(`${part.name} does not run`)
  const killedAt = performance.now()
  print(`kill -9 ${processId}, which is ${part.name}`)
  process.kill(processId, 'SIGKILL')
  const isRunning = (): boolean => part.processId !== undefined && part.processId !== processId
  const [runsAfter, reachedAfter] = await Promise.all([
    secondsUntil(`the restart of ${part.name}`, isRunning),
    secondsUntil('the recovery', () => load.isEveryoneReachedSince(killedAt)),
  ])
  print(
    `everybody reached everybody again ${reachedAfter} s after the kill; ` +
      `${part.name} ran again after ${runsAfter} s`,
  )
}

async function secondsUntil(what: string, isTrue: () => boolean): Promise<string> {
  const start = performance.now()
  while (!isTrue()) {
    if (secondsSince(start) > recoverySeconds) {
      throw new Error(`Waited ${recoverySeconds} seconds in vain for ${what}`)
    }
    await sleep(10)
  }
  return secondsSince(start).toFixed(1)
}

async function untilOver(seconds: number | undefined): Promise<void> {
  const isAborted = once(over.signal, 'abort')
  if (seconds === undefined) await isAborted
  else await Promise.race([isAborted, sleep(seconds * 1000)])
}

function printState({ parts }: Cluster, load: Load): void {
  const { sent, received, slowestMilliseconds } = load.look()
  const processes = parts.map(({ name, processId }) => `${name} ${processId ?? '-'}`).join(', ')
  print(
    `${processes}: ${sent} sent, ${received} received, ` +
      `the slowest after ${Math.round(slowestMilliseconds)} ms`,
  )
}

function print(line: string): void {
  console.log(`${secondsSince(startedAt).toFixed(1).padStart(6)} s  ${line}`)
}

function secondsSince(time: number): number {
  return (performance.now() - time) / 1000
}

function readOptions() {
  try {
    const { values } = parseArgs({
      args: process.argv.slice(2).filter((argument) => argument !== '--'),
      options: {
        kill: { type: 'boolean', default: false },
        seconds: { type: 'string' },
        sqlite: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    const seconds = values.seconds === undefined ? undefined : Number(values.seconds)
    if (seconds !== undefined && !(seconds > 0 && seconds <= 86_400)) {
      exitWith(2, '--seconds takes a number from 1 to 86400.')
    }
    return { kill: values.kill, seconds, sqlite: values.sqlite }
  } catch (error) {
    return exitWith(2, `${(error as Error).message} See --help.`)
  }
}
