import { setTimeout as sleep } from 'node:timers/promises'

import createKnex from 'knex'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { databaseKinds, temporaryFolder, type BenchDatabase } from '../harness/databases.js'
import { messageContent } from '../harness/hand-written-send.js'
import { interleave, quantile, series, type Sample } from '../harness/interleave.js'
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

/** Several server processes on one MySQL database: delivery from one to another, sends, and idleness. */
export const cluster: Row = {
  name: 'cluster',
  async run() {
    const kind = databaseKinds().find(({ name }) => name === 'mysql')
    if (kind === undefined || !isRedisInstalled()) {
      process.stderr.write('SKIPPED: it needs MariaDB or MySQL, and Redis … ')
      return []
    }
    return [
      ...(await withCleanUp(async (opened) => delivery(opened, await kind.create(opened)))),
      ...(await withCleanUp(async (opened) => sends(opened, await kind.create(opened)))),
    ]
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

async function delivery(opened: CleanUp, database: BenchDatabase): Promise<readonly Result[]> {
  const redisPort = await startRedis(opened)
  const [one, two] = (await startServers(opened, database, 2, redisPort)) as [number, number]
  const measure = async (senderPort: number, readerPort: number, count: number, pause: number) => {
    const reader = new WaitingReader(readerPort, readerId)
    await reader.start()
    const durations = await measureDelivery(senderPort, reader, count, pause)
    reader.stop()
    // Ends the poll that still waits.
    await measureDelivery(senderPort, reader, 1, 0)
    return { p50: quantile(durations, 0.5), p99: quantile(durations, 0.99) }
  }
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

  const line = (name: string, rounds: typeof byRedis, which: string): Result => ({
    name: `delivery ${name}, ${which}`,
    unit: 'ms',
    floor: series(rounds.floor, which),
    ours: series(rounds.ours, which),
    aim: undefined,
  })
  const ones = numbers(idleWithRedis.length).map(() => 1)
  const idle = { unit: 'statements/s', floor: ones, aim: undefined }
  return [
    line('to another process by Redis', byRedis, 'p50'),
    line('to another process by Redis', byRedis, 'p99'),
    line('to another process by polling', byPolling, 'p50'),
    line('to another process by polling', byPolling, 'p99'),
    { ...idle, name: 'idle process with Redis', ours: idleWithRedis },
    { ...idle, name: 'idle process that polls', ours: idleByPolling },
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
