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
