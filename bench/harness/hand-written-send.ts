import knexPackage, { type Knex } from 'knex'

import type { CleanUp } from './clean-up.js'
import type { BenchDatabase } from './databases.js'
import { prepareFloor } from './host.js'
import { numbers, type OrganizationPlan } from './organization.js'

/** Subscribers of the first channel. */
export const recipientCount = 20
export const messageContent = 'The quick brown fox jumps over the lazy dog, and **nobody** minds.'
/** What searches find the message by. */
const words = 'quick brown fox jump jumps lazi lazy dog nobodi nobody mind minds greet greetings'
  .split(' ')
  .map((word) => `1x${word}`)
  .join(' ')

/** What a product would write by hand. */
export interface HandWrittenSend {
  readonly knex: Knex
  /** Writes a message in one transaction. */
  readonly send: (senderId: number) => Promise<void>
}

/** Makes the tables and an organization in a database that only the floor will use. */
export async function openFloor(
  opened: CleanUp,
  database: BenchDatabase,
  plan: OrganizationPlan,
): Promise<HandWrittenSend> {
  await prepareFloor(database, plan)
  const knex = knexPackage(floorConfig(database))
  opened.add(() => knex.destroy())
  let seq = 0
  return { knex, send: (senderId) => writeMessage(knex, senderId, (seq += 1)) }
}

/** What a sent message leaves in the database, as one would write it by hand. */
async function writeMessage(knex: Knex, senderId: number, seq: number): Promise<void> {
  const sentAtSeconds = Math.floor(Date.now() / 1000)
  await knex.transaction(async (trx) => {
    const insertion = trx('chat_messages').insert({
      organization_id: 1,
      sender_id: senderId,
      recipient_id: 1,
      channel_id: 1,
      topic: 'greetings',
      topic_key: 'greetings',
      content: messageContent,
      rendered_content: `<p>${messageContent}</p>`,
      sent_at_seconds: sentAtSeconds,
      client: 'BenchClient',
      content_traits: 0,
    })
    const [inserted] = await (isPostgres(knex) ? insertion.returning('id') : insertion)
    const messageId = Number((inserted as { id?: string }).id ?? inserted)
    await trx('chat_user_messages').insert(
      numbers(recipientCount).map((userId) => ({
        organization_id: 1,
        user_id: userId,
        message_id: messageId,
        flags: userId === senderId ? 1 : 0,
      })),
    )
    // Elsewhere, messages are indexed later.
    if (String(knex.client.driverName).includes('sqlite')) {
      await trx.raw('INSERT INTO chat_message_words (rowid, words) VALUES (?, ?)', [
        messageId,
        words,
      ])
    }
    await trx('chat_organizations').where({ id: 1 }).increment('event_seq', 1)
    await trx('chat_events').insert({
      organization_id: 1,
      seq,
      kind: 'message',
      audience_id: 1,
      follower_audience_id: 1,
      message_id: messageId,
      data: JSON.stringify(eventData(messageId, senderId, sentAtSeconds)),
      created_at_seconds: sentAtSeconds,
    })
  })
}

export function isPostgres(knex: Knex): boolean {
  return knex.client.config.client === 'pg'
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
    content: messageContent,
    renderedContent: `<p>${messageContent}</p>`,
    avatarUrl: null,
    isGravatarPublic: true,
  }
}

/** The same durability and as many connections as the chat has. */
function floorConfig({ name, config }: BenchDatabase): Knex.Config {
  if (name !== 'sqlite') return { ...config, pool: { min: 0, max: 16 } }
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
