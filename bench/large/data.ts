import type { Knex } from 'knex'

import type { CleanUp } from '../harness/clean-up.js'
import type { BenchDatabase } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import { numbers } from '../harness/organization.js'
import { addChannels, addUsers, openSeeding } from '../harness/seed.js'
import { bulkWriter, type BulkWriter, type Value, type Values } from './bulk-writer.js'
import {
  callerCount,
  everyonesChannels,
  messagesOf,
  receivedMessages,
  receivedOfEveryones,
  subscribersOf,
  type LargePlan,
  type PlannedMessage,
} from './plan.js'

const readFlag = 1
const secondsBetweenMessages = 10

type StoredRow = Readonly<Record<string, Value>>

/**
 * Fills a database with an organization. Most users have subscribed after most messages were sent:
 * the callers have received all messages in their channels, the others the newest only.
 */
export async function fill(
  opened: CleanUp,
  database: BenchDatabase,
  plan: LargePlan,
  report: (what: string) => void,
): Promise<void> {
  await startEmpty(opened, database)
  const knex = openSeeding(opened, database)
  const writer = await bulkWriter(opened, database)
  await addUsers(knex, plan.users)
  await addChannels(knex, plan.channels)
  await knex('chat_channels').where('id', '<=', everyonesChannels).update({ is_default: true })
  await copyRows(knex, writer, 'chat_subscriptions', subscriptionsOf(plan))
  report('users, channels, subscriptions')
  await addMessages(knex, writer, plan)
  report('messages')
  await addWords(knex, database, writer, plan)
  report('words')
  await addReceived(writer, plan)
  report('received messages')
  await noteWritten(knex)
  await forgetAudiences(knex)
}

/** Takes note that all user messages are written, as an import does. */
async function noteWritten(knex: Knex): Promise<void> {
  const newest = (await knex('chat_messages').max({ id: 'id' }).first()) as { id: number }
  await knex('chat_subscriptions').update({ unwritten_after_message_id: newest.id })
}

/** The lists of recipients are those of the callers alone. */
async function forgetAudiences(knex: Knex): Promise<void> {
  await knex('chat_organizations').update({ active_audience_id: null, member_audience_id: null })
  await knex('chat_channels').update({ audience_id: null })
}

/** An organization with the callers, and one message as the pattern of the others. */
async function startEmpty(opened: CleanUp, database: BenchDatabase): Promise<void> {
  const plan = { users: callerCount, subscribers: [callerCount] }
  const { chat } = await startChat(opened, database, plan)
  await chat
    .as({ userId: 1 })
    .api.sendMessage({ type: 'channel', to: 1, topic: 'topic 0', content: 'w0 w1' })
  // Its background work would write at the same time.
  await chat.close()
}

function* subscriptionsOf({ users, channels, ...rest }: LargePlan): Generator<StoredRow> {
  for (let channel_id = 1; channel_id <= channels; channel_id += 1) {
    const isEveryones = channel_id <= everyonesChannels
    const subscribers = isEveryones
      ? numbers(users)
      : subscribersOf({ users, channels, ...rest }, channel_id)
    for (const user_id of subscribers) {
      if (channel_id > 1 || user_id > callerCount) yield { channel_id, user_id }
    }
  }
}

async function addMessages(knex: Knex, writer: BulkWriter, plan: LargePlan): Promise<void> {
  const recipients = new Map(
    (await knex('chat_recipients').select<StoredRow[]>('id', 'channel_id')).map((row) => [
      // PostgreSQL's driver reads 64-bit integers as text.
      Number(row['channel_id']),
      row['id'] ?? null,
    ]),
  )
  const newestSeconds = Math.floor(Date.now() / 1000)
  const firstSeconds = newestSeconds - plan.messages * secondsBetweenMessages
  function* rows(): Generator<StoredRow> {
    for (const { id, channelId, topic, senderId, words } of messagesOf(plan)) {
      if (id === 1) continue
      yield {
        id,
        sender_id: senderId,
        channel_id: channelId,
        recipient_id: recipients.get(channelId) ?? null,
        topic,
        topic_key: topic,
        content: words.join(' '),
        rendered_content: `<p>${words.join(' ')}</p>`,
        sent_at_seconds: firstSeconds + id * secondsBetweenMessages,
      }
    }
  }
  await copyRows(knex, writer, 'chat_messages', rows())
  await knex('chat_channels').update({ first_message_id: 1 })
}

/** The words that a search would find, as the server indexes them. */
async function addWords(
  knex: Knex,
  { name }: BenchDatabase,
  writer: BulkWriter,
  plan: LargePlan,
): Promise<void> {
  const { id: organizationId } = (await knex('chat_organizations').first('id')) as { id: number }
  function* texts(): Generator<Values> {
    for (const message of messagesOf(plan)) {
      if (message.id === 1) continue
      const words = wordsOf(message).map((word) => `${organizationId}x${word}`)
      yield [message.id, words.join(' ')]
    }
  }
  function* rows(): Generator<Values> {
    for (const message of messagesOf(plan)) {
      if (message.id === 1) continue
      for (const word of wordsOf(message)) yield [organizationId, message.id, word, 1]
    }
  }
  const table = 'chat_message_words'
  if (name === 'sqlite') await writer.insert(table, ['rowid', 'words'], texts())
  else await writer.insert(table, ['organization_id', 'message_id', 'word', 'place'], rows())
  await knex('chat_search_backlogs').delete()
}

function wordsOf({ words, topic }: PlannedMessage): string[] {
  return [...new Set([...words, ...topic.split(' ')])]
}

async function addReceived(writer: BulkWriter, plan: LargePlan): Promise<void> {
  const channelsOf = channelsByUser(plan)
  const callersChannels = new Set(numbers(callerCount).flatMap((id) => channelsOf.get(id) ?? []))
  const ofCallers = new Map<number, number[]>()
  const received = new Map<number, number[]>()
  for (const { id, channelId } of messagesOf(plan)) {
    if (id === 1) continue
    if (callersChannels.has(channelId)) add(ofCallers, channelId, id)
    if (channelId > everyonesChannels && id <= plan.messages - receivedMessages) continue
    const ids = add(received, channelId, id)
    if (channelId <= everyonesChannels && ids.length > receivedOfEveryones) ids.shift()
  }
  function* rows(): Generator<Values> {
    for (let userId = 1; userId <= plan.users; userId += 1) {
      const byChannel = userId <= callerCount ? ofCallers : received
      const ids = (channelsOf.get(userId) ?? []).flatMap((channel) => byChannel.get(channel) ?? [])
      // In the order of the primary key.
      for (const id of ids.sort((a, b) => a - b)) {
        yield [1, userId, id, id > plan.messages - receivedMessages ? 0 : readFlag]
      }
    }
  }
  await writer.insert(
    'chat_user_messages',
    ['organization_id', 'user_id', 'message_id', 'flags'],
    rows(),
  )
}

function channelsByUser(plan: LargePlan): Map<number, number[]> {
  const channels = new Map<number, number[]>()
  for (const { user_id, channel_id } of subscriptionsOf(plan)) {
    add(channels, Number(user_id), Number(channel_id))
  }
  for (const userId of numbers(callerCount)) add(channels, userId, 1)
  return channels
}

function add(lists: Map<number, number[]>, key: number, value: number): number[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  list.push(value)
  return list
}

/** Adds rows that are as one that is there, but for the columns given; all rows have the same. */
async function copyRows(
  knex: Knex,
  writer: BulkWriter,
  table: string,
  rows: Iterable<StoredRow>,
): Promise<void> {
  const pattern = (await knex(table).first()) as StoredRow
  const columns = Object.keys(pattern)
  function* values(): Generator<Values> {
    for (const row of rows) yield columns.map((column) => row[column] ?? pattern[column] ?? null)
  }
  await writer.insert(table, columns, values())
}
