import { setTimeout as sleep } from 'node:timers/promises'

import createKnex from 'knex'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { onEveryDatabase, temporaryFolder, type BenchDatabase } from '../harness/databases.js'
import { messageContent } from '../harness/hand-written-send.js'
import { interleave, quantile, series, type Rounds, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import { isRedisInstalled, startRedis } from '../harness/redis.js'
import type { Result, Row } from '../harness/row.js'
import { ServerProcess } from '../harness/server-process.js'
import { countStatements } from '../harness/statement-count.js'
import { measureDelivery, WaitingReader } from '../load/delivery.js'
import { postRequest } from '../load/http-connection.js'

const senderCount = 40
const plan = { users: senderCount, subscribers: [10] }
const readerId = 2
const messagesPerSample = 100
const pollingMessages = 25
const logPollMilliseconds = 250
const sampleMilliseconds = 3000
const idleMilliseconds = 12_000

/** By database: what is measured there. */
const measurements: Readonly<Record<BenchDatabase['name'], readonly Measurement[]>> = {
  sqlite: [],
  mysql: [delivery, sends],
  postgres: [notifications],
}
type Measurement = (opened: CleanUp, database: BenchDatabase) => Promise<readonly Result[]>

/** Several server processes on one database: delivery from one to another, sends, and idleness. */
export const cluster: Row = {
  name: 'cluster',
  async run() {
    if (!isRedisInstalled()) {
      process.stderr.write('SKIPPED: it needs Redis … ')
      return []
    }
    return onEveryDatabase(async (kind) => {
      const results: Result[] = []
      for (const measurement of measurements[kind.name]) {
        const measured = withCleanUp(async (opened) =>
          measurement(opened, await kind.create(opened)),
        )
        results.push(...(await measured))
      }
      return results
    })
  },
}

/** Starts server processes on a database. @returns their ports. */
async function startServers(
  opened: CleanUp,
  database: BenchDatabase,
  count: number,
  redisPort?: number,
): Promise<number[]> {
  const files = await temporaryFolder(opened)
  const ports: number[] = []
  for (let index = 0; index < count; index += 1) {
    const task = { database, plan, files, ...(redisPort !== undefined && { redisPort }) }
    ports.push((await new ServerProcess(opened).call('start', task)).port)
  }
  return ports
}

/** Milliseconds from the request of a sender at one process to the end of a poll at another. */
async function measure(
  senderPort: number,
  readerPort: number,
  count: number,
  pause: number,
): Promise<Sample> {
  const reader = new WaitingReader(readerPort, readerId)
  await reader.start()
  const durations = await measureDelivery(senderPort, reader, count, pause)
  reader.stop()
  // Ends the poll that still waits.
  await measureDelivery(senderPort, reader, 1, 0)
  return { p50: quantile(durations, 0.5), p99: quantile(durations, 0.99) }
}

function deliveryLine(name: string, rounds: Rounds, which: string): Result {
  return {
    name: `delivery ${name}, ${which}`,
    unit: 'ms',
    floor: series(rounds.floor, which),
    ours: series(rounds.ours, which),
    aim: undefined,
  }
}

function idleLine(name: string, ours: readonly number[]): Result {
  return { name, unit: 'statements/s', floor: ours.map(() => 1), ours, aim: undefined }
}

async function delivery(opened: CleanUp, database: BenchDatabase): Promise<readonly Result[]> {
  const redisPort = await startRedis(opened)
  const [one, two] = (await startServers(opened, database, 2, redisPort)) as [number, number]
  const within = () => measure(one, one, messagesPerSample, 20)
  const byRedis = await interleave(within, () => measure(one, two, messagesPerSample, 20))
  const idleWithRedis = await idleStatements(database, 2)

  const polling = (await startServers(opened, database, 2)) as [number, number]
  const byPolling = await interleave(within, () =>
    measure(polling[0], polling[1], pollingMessages, logPollMilliseconds),
  )
  // The readers of all four processes may still be known, so their logs are in use.
  const idleOfAll = await idleStatements(database, 1)
  const idleByPolling = idleOfAll.map(
    (all, round) => (all - 2 * (idleWithRedis[round] as number)) / 2,
  )

  return [
    deliveryLine('to another process by Redis', byRedis, 'p50'),
    deliveryLine('to another process by Redis', byRedis, 'p99'),
    deliveryLine('to another process by polling', byPolling, 'p50'),
    deliveryLine('to another process by polling', byPolling, 'p99'),
    idleLine('idle process with Redis', idleWithRedis),
    idleLine('idle process that polls', idleByPolling),
  ]
}

/** NOTIFY beside Redis, on one database. */
async function notifications(opened: CleanUp, database: BenchDatabase): Promise<readonly Result[]> {
  const redisPort = await startRedis(opened)
  const redis = (await startServers(opened, database, 2, redisPort)) as [number, number]
  const ofRedis = () => measure(redis[0], redis[1], messagesPerSample, 20)
  await ofRedis()
  const idleWithRedis = await idleStatements(database, 2)
  const own = (await startServers(opened, database, 2)) as [number, number]
  const ofOwn = () => measure(own[0], own[1], messagesPerSample, 20)
  const rounds = await interleave(ofRedis, ofOwn)
  const idleOfAll = await idleStatements(database, 1)
  const idle = idleOfAll.map((all, round) => (all - 2 * (idleWithRedis[round] as number)) / 2)
  return [
    deliveryLine('to another process by NOTIFY beside Redis', rounds, 'p50'),
    deliveryLine('to another process by NOTIFY beside Redis', rounds, 'p99'),
    idleLine('idle process on PostgreSQL with Redis', idleWithRedis),
    idleLine('idle process with NOTIFY', idle),
  ]
}

/** Statements per second of each of `processes` processes that do nothing. */
async function idleStatements(
  database: BenchDatabase,
  processes: number,
): Promise<readonly number[]> {
  const knex = createKnex(database.config)
  const samples: number[] = []
  try {
    for (let round = 0; round < 5; round += 1) {
      const before = await countStatements(database, knex)
      const startedAt = performance.now()
      await sleep(idleMilliseconds)
      const count = (await countStatements(database, knex)) - before - 1
      samples.push((count * 1000) / (performance.now() - startedAt) / processes)
    }
  } finally {
    await knex.destroy()
  }
  return samples
}

async function sends(opened: CleanUp, database: BenchDatabase): Promise<readonly Result[]> {
  const redisPort = await startRedis(opened)
  const ports = await startServers(opened, database, 4, redisPort)
  const load = new LoadClient(opened)
  const measure = async (count: number): Promise<Sample> => {
    const used = ports.slice(0, count)
    const all = await Promise.all(
      used.map((port, index) =>
        load.call('keepBusy', {
          port,
          connections: numbers(senderCount)
            .filter((userId) => userId % count === index)
            .map((userId) => [
              postRequest('/api/v1/messages', authorizationOf(userId), {
                type: 'channel',
                to: '1',
                topic: 'greetings',
                content: messageContent,
              }),
            ]),
          milliseconds: sampleMilliseconds,
        }),
      ),
    )
    return { perSecond: all.reduce((sum, { count, seconds }) => sum + count / seconds, 0) }
  }
  const results: Result[] = []
  for (const count of [2, 4]) {
    const rounds = await interleave(
      () => measure(1),
      () => measure(count),
    )
    results.push({
      name: `POST /messages at ${count} processes instead of one`,
      unit: 'messages/s',
      floor: series(rounds.floor, 'perSecond'),
      ours: series(rounds.ours, 'perSecond'),
      aim: undefined,
    })
  }
  return results
}
