import knexPackage, { type Knex } from 'knex'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { databaseKinds, type BenchDatabase, type BenchDatabaseKind } from '../harness/databases.js'
import { prepareFloor, startChat } from '../harness/host.js'
import { interleave, quantile, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import type { Result, Row } from '../harness/row.js'
import { postRequest } from '../load/http-connection.js'

const senderCount = 50
const recipientCount = 20
const plan = { users: senderCount, subscribers: [recipientCount, senderCount] }
const sampleMilliseconds = 1200
/** What searches find the content by. */
const words = ['quick', 'brown', 'fox', 'jump', 'lazi', 'dog', 'nobodi', 'mind']
const content = 'The quick brown fox jumps over the lazy dog, and **nobody** minds.'

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
        aim: { atLeast: senders === 1 ? 0.6 : 1 },
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
  const { port } = await startChat(opened, database, plan)
  const connections = numbers(senders).map((userId) => [
    postRequest('/api/v1/messages', authorizationOf(userId), {
      type: 'channel',
      to: '1',
      topic: 'greetings',
      content,
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
  await prepareFloor(database, plan)
  const knex = knexPackage(floorConfig(database))
  opened.add(() => knex.destroy())
  let seq = 0
  return async () => {
    const latencies: number[] = []
    const start = performance.now()
    const end = start + sampleMilliseconds
    await Promise.all(
      numbers(senders).map(async (senderId) => {
        while (performance.now() < end) {
          const from = performance.now()
          await writeMessage(knex, senderId, () => (seq += 1))
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

/** What a sent message leaves in the database, as one would write it by hand. */
async function writeMessage(knex: Knex, senderId: number, nextSeq: () => number): Promise<void> {
  const sentAtSeconds = Math.floor(Date.now() / 1000)
  await knex.transaction(async (trx) => {
    const [messageId] = await trx('chat_messages').insert({
      organization_id: 1,
      sender_id: senderId,
      recipient_id: 1,
      channel_id: 1,
      topic: 'greetings',
      topic_key: 'greetings',
      content,
      rendered_content: `<p>${content}</p>`,
      sent_at_seconds: sentAtSeconds,
      client: 'BenchClient',
      content_traits: 0,
    })
    await trx('chat_user_messages').insert(
      numbers(recipientCount).map((userId) => ({
        organization_id: 1,
        user_id: userId,
        message_id: messageId,
        flags: userId === senderId ? 1 : 0,
      })),
    )
    await trx('chat_message_words').insert(
      [...words, 'greet'].map((word) => ({
        organization_id: 1,
        message_id: messageId,
        word,
        is_in_content: word !== 'greet',
      })),
    )
    await trx('chat_organizations').where({ id: 1 }).increment('event_seq', 1)
    await trx('chat_events').insert({
      organization_id: 1,
      seq: nextSeq(),
      kind: 'message',
      audience_id: 1,
      follower_audience_id: 1,
      message_id: messageId,
      data: JSON.stringify(eventData(messageId as number, senderId, sentAtSeconds)),
      created_at_seconds: sentAtSeconds,
    })
  })
}

function eventData(messageId: number, senderId: number, sentAtSeconds: number): unknown {
  return {
    message: {
      id: messageId,
      sender_id: senderId,
      sender_email: `user${senderId}@bench.example`,
      sender_full_name: `User ${senderId}`,
      sender_realm_str: '',
      client: 'BenchClient',
      timestamp: sentAtSeconds,
      is_me_message: false,
      topic_links: [],
      reactions: [],
      submessages: [],
      type: 'stream',
      stream_id: 1,
      recipient_id: 1,
      display_recipient: 'channel 1',
    },
    topic: 'greetings',
    content,
    renderedContent: `<p>${content}</p>`,
    avatarUrl: null,
    isGravatarPublic: true,
  }
}

/** The same durability and as many connections as the chat has. */
function floorConfig({ name, config }: BenchDatabase): Knex.Config {
  if (name === 'mysql') return { ...config, pool: { min: 0, max: 16 } }
  return {
    ...config,
    pool: {
      min: 1,
      max: 1,
      afterCreate(
        connection: { exec(sql: string, done: (error: Error | null) => void): void },
        done: (error: Error | null) => void,
      ) {
        connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL', done)
      },
    },
  }
}
