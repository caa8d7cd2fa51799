import knexPackage, { type Knex } from 'knex'

import type { CleanUp } from './clean-up.js'
import type { BenchDatabase } from './databases.js'
import { isPostgres } from './hand-written-send.js'
import { numbers } from './organization.js'

/** SQLite takes 500 terms of a compound statement, which is what Knex makes of several rows. */
const rowsPerInsert = 400

/** A connection beside the chat's own, to fill its tables faster than one by one. */
export function openSeeding(opened: CleanUp, { config }: BenchDatabase): Knex {
  const knex = knexPackage(config)
  opened.add(() => knex.destroy())
  return knex
}

/** Adds members after the users that there are, up to the id `lastId`; they cannot log in. */
export async function addUsers(knex: Knex, lastId: number): Promise<void> {
  const template = await lastRow(knex, 'chat_users')
  await copy(knex, 'chat_users', idsUpTo(lastId, template['id'] as number), (id) => ({
    ...template,
    id,
    external_id: null,
    role: 400,
    email: `user${id}@bench.example`,
    email_key: `user${id}@bench.example`,
    full_name: `User ${id}`,
    ...('full_name_key' in template ? { full_name_key: `user ${id}` } : {}),
    api_key_hash: `no key ${id}`,
  }))
}

/** Adds public channels after those that there are, up to the id `lastId`. */
export async function addChannels(knex: Knex, lastId: number): Promise<void> {
  const template = await lastRow(knex, 'chat_channels')
  const recipient = await lastRow(knex, 'chat_recipients')
  const ids = idsUpTo(lastId, template['id'] as number)
  await copy(knex, 'chat_recipients', ids, (id) => ({ ...recipient, id, channel_id: id }))
  await copy(knex, 'chat_channels', ids, (id) => ({
    ...template,
    id,
    recipient_id: id,
    name: `channel ${id}`,
    name_key: `channel ${id}`,
  }))
}

/** Subscribes users to channels, each pair given once. */
export async function addSubscriptions(
  knex: Knex,
  pairs: readonly { readonly userId: number; readonly channelId: number }[],
): Promise<void> {
  const template = await lastRow(knex, 'chat_subscriptions', 'user_id')
  await copy(knex, 'chat_subscriptions', pairs, ({ userId, channelId }) => ({
    ...template,
    user_id: userId,
    channel_id: channelId,
  }))
}

/** Messages that each user has received before a measurement begins. */
export const historyLength = 250

/**
 * Gives the users 1 to `userCount` a history: copies of the newest message, which all of them have
 * received and read. Without one, the rows of a new message would share a few pages of the database.
 */
export async function addHistory(
  knex: Knex,
  userCount: number,
  length = historyLength,
): Promise<void> {
  const template = await lastRow(knex, 'chat_messages')
  const lastId = template['id'] as number
  const ids = idsUpTo(lastId + length, lastId)
  await copy(knex, 'chat_messages', ids, (id) => ({ ...template, id }))
  await knex.transaction(async (trx) => {
    for (const messageId of ids) {
      // In the order in which they would have been sent.
      await trx.raw(
        `INSERT INTO chat_user_messages (organization_id, user_id, message_id, flags)
         SELECT organization_id, id, ?, 1 FROM chat_users WHERE id <= ? ORDER BY id`,
        [messageId, userCount],
      )
    }
  })
}

async function lastRow(knex: Knex, table: string, order = 'id'): Promise<Record<string, unknown>> {
  const row = (await knex(table).orderBy(order, 'desc').first()) as Record<string, unknown>
  // PostgreSQL's driver reads 64-bit integers as text.
  return { ...row, ...(typeof row['id'] === 'string' && { id: Number(row['id']) }) }
}

function idsUpTo(lastId: number, knownId: number): number[] {
  return numbers(lastId - knownId).map((offset) => knownId + offset)
}

async function copy<Item>(
  knex: Knex,
  table: string,
  items: readonly Item[],
  rowOf: (item: Item) => Record<string, unknown>,
): Promise<void> {
  await knex.transaction(async (trx) => {
    for (let start = 0; start < items.length; start += rowsPerInsert) {
      await trx(table).insert(items.slice(start, start + rowsPerInsert).map(rowOf))
    }
    if (isPostgres(knex) && items.some((item) => 'id' in rowOf(item))) await followIds(trx, table)
  })
}

/** Sequences of PostgreSQL do not follow ids that are given. */
export async function followIds(knex: Knex, table: string): Promise<void> {
  await knex.raw(
    `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT MAX(id) FROM ${table}))`,
  )
}
