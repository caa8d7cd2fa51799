import knexPackage, { type Knex } from 'knex'

import type { Client } from './client.js'
import type { HostCase } from './host.js'

/** Reads the database. */
export async function query<Result>(
  at: HostCase,
  read: (knex: Knex) => Promise<Result>,
): Promise<Result> {
  const knex = knexPackage(at.host.databaseConfig)
  try {
    return await read(knex)
  } finally {
    await knex.destroy()
  }
}

/** Stores copies of a message, with the ids that follow its own. @returns the id of the last one. */
export async function copyMessage(knex: Knex, id: number, count: number): Promise<number> {
  const row = (await knex('chat_messages').where({ id }).first()) as object
  const rows = Array.from({ length: count }, (_, index) => ({ ...row, id: id + 1 + index }))
  await knex.batchInsert('chat_messages', rows, 500)
  await continueIds(knex, id + count)
  return id + count
}

/** Lets the next message get a later id: only on PostgreSQL, given ids do not count for it. */
export async function continueIds(knex: Knex, lastId: number): Promise<void> {
  if (knex.client.driverName !== 'pg') return
  await knex.raw(`SELECT setval(pg_get_serial_sequence('chat_messages', 'id'), ?)`, [lastId])
}

/** The users of whom a user message is written, ascending. */
export async function writtenFor(at: HostCase, messageId: number): Promise<number[]> {
  const rows = await query(at, (knex) =>
    knex('chat_user_messages')
      .where({ message_id: messageId })
      .orderBy('user_id')
      .select<{ user_id: number }[]>('user_id'),
  )
  return rows.map(({ user_id }) => user_id)
}

/** Ascending. */
export const idsOf = (...clients: readonly Client[]): number[] =>
  clients.map(({ id }) => id).sort((a, b) => a - b)
