import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { databaseKinds, type BenchDatabase, type BenchDatabaseKind } from '../harness/databases.js'
import { messageContent, openFloor, recipientCount } from '../harness/hand-written-send.js'
import { startChat } from '../harness/host.js'
import { interleave, quantile, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import type { Result, Row } from '../harness/row.js'
import { addHistory, openSeeding } from '../harness/seed.js'
import { postRequest } from '../load/http-connection.js'

const senderCount = 50
const plan = { users: senderCount, subscribers: [recipientCount, senderCount] }
const sampleMilliseconds = 1200
/** Of many messages at a time, which share their transactions. */
const aimTogether = { sqlite: 3, mysql: 2.5, postgres: 2.5 } as const

/**
 * `POST /messages` over HTTP, against raw Knex without HTTP that writes the same rows in one
 * transaction per message.
 */
export const sendMessage: Row = {
  name: 'POST /messages',
  async run() {
    const results: Result[] = []
    for (const kind of databaseKinds()) {
      results.push(...(await measure(kind, senderCount)), ...(await measure(kind, 1)))
    }
    return results
  },
}

function measure(kind: BenchDatabaseKind, senders: number): Promise<readonly Result[]> {
  return withCleanUp(async (opened) => {
    const floor = await startFloor(opened, await kind.create(opened), senders)
    const ours = await startOurs(opened, await kind.create(opened), senders)
    const rounds = await interleave(floor, ours)
    const name = `POST /messages, ${kind.name}, ${senders} at a time`
    return [
      {
        name,
        unit: 'messages/s',
        floor: series(rounds.floor, 'perSecond'),
        ours: series(rounds.ours, 'perSecond'),
        aim: { atLeast: senders === 1 ? 1 : aimTogether[kind.name] },
      },
      {
        name: `${name}: p99`,
        unit: 'ms',
        floor: series(rounds.floor, 'p99Milliseconds'),
        ours: series(rounds.ours, 'p99Milliseconds'),
        aim: { atMost: 3 },
      },
    ]
  })
}

async function startOurs(
  opened: CleanUp,
  database: BenchDatabase,
  senders: number,
): Promise<() => Promise<Sample>> {
  const load = new LoadClient(opened)
  const { chat, port } = await startChat(opened, database, plan)
  await chat.as({ userId: 1 }).api.sendMessage({
    type: 'channel',
    to: 1,
    topic: 'greetings',
    content: messageContent,
  })
  await addHistory(openSeeding(opened, database), senderCount)
  const connections = numbers(senders).map((userId) => [
    postRequest('/api/v1/messages', authorizationOf(userId), {
      type: 'channel',
      to: '1',
      topic: 'greetings',
      content: messageContent,
    }),
  ])
  return async () => {
    const { count, seconds, p99Milliseconds } = await load.call('keepBusy', {
      port,
      connections,
      milliseconds: sampleMilliseconds,
    })
    return { perSecond: count / seconds, p99Milliseconds }
  }
}

async function startFloor(
  opened: CleanUp,
  database: BenchDatabase,
  senders: number,
): Promise<() => Promise<Sample>> {
  const { knex, send } = await openFloor(opened, database, plan)
  await send(1)
  await addHistory(knex, senderCount)
  return async () => {
    const latencies: number[] = []
    const start = performance.now()
    const end = start + sampleMilliseconds
    await Promise.all(
      numbers(senders).map(async (senderId) => {
        while (performance.now() < end) {
          const from = performance.now()
          await send(senderId)
          latencies.push(performance.now() - from)
        }
      }),
    )
    return {
      perSecond: (latencies.length * 1000) / (performance.now() - start),
      p99Milliseconds: quantile(latencies, 0.99),
    }
  }
}
