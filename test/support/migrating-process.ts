import createKnex, { type Knex } from 'knex'

import { migrations } from '../../packages/core/src/resources/tables.js'
import { Database, Migrator } from '../../packages/core/src/storage/index.js'
import type { Migration } from '../../packages/core/src/storage/migrations/migration.js'
import type { TestDatabase } from './databases.js'

export interface Query {
  readonly sql?: string
  readonly bindings?: readonly unknown[]
}

/** Called with each statement when the database has executed it. */
type Executed = (query: Query) => Promise<void>

interface Connection {
  /** MySQL: closes the connection without notifying the server. */
  destroy?(): void
}

type ClientClass = new (config: Knex.Config) => {
  _query(connection: Connection, query: Query): Promise<unknown>
}

/** Thrown by {@link Executed} to simulate a crash of the process: it sends nothing any more. */
export class ProcessEnd extends Error {}

/**
 * Migrates as a separate process does.
 *
 * @param list other migrations than the product's.
 * @throws {ProcessEnd} if `executed` has thrown it.
 */
export async function migrate(
  { config }: TestDatabase,
  executed: Executed = async () => {},
  list: readonly Migration[] = migrations,
): Promise<void> {
  const pool = createKnex(config)
  const Base = (pool.client as { constructor: ClientClass }).constructor
  await pool.destroy()
  let end: ProcessEnd | undefined
  class WatchedClient extends Base {
    override async _query(connection: Connection, query: Query): Promise<unknown> {
      if (end !== undefined) throw end
      const result = await super._query(connection, query)
      try {
        await executed(query)
      } catch (error) {
        if (error instanceof ProcessEnd) end = error
        connection.destroy?.()
        throw error
      }
      return result
    }
  }
  const database = new Database({ ...config, client: WatchedClient as never }, 'chat_')
  try {
    await new Migrator(database, list).migrate()
  } finally {
    await database.close()
  }
  if (end !== undefined) throw end
}

/**
 * Migrates with one process after the other. Each crashes right after a statement after which none
 * has crashed before, until one completes.
 *
 * @param isEnding which statements a process crashes after.
 * @param ended called with each of them.
 * @returns the number of processes that have crashed.
 */
export async function migrateInterruptedly(
  database: TestDatabase,
  isEnding: (sql: string) => boolean,
  ended: (sql: string) => Promise<void> = async () => {},
  list?: readonly Migration[],
): Promise<number> {
  const endings = new Set<string>()
  for (;;) {
    let last = ''
    let previous = ''
    const executed: Executed = async ({ sql = '', bindings }) => {
      const text = JSON.stringify([sql, bindings])
      // All commits have the same text.
      const key = /^commit/i.test(sql) ? `${previous} ${text}` : text
      previous = text
      if (!isEnding(sql) || endings.has(key)) return
      endings.add(key)
      last = sql
      throw new ProcessEnd('The process has ended')
    }
    try {
      await migrate(database, executed, list)
      return endings.size
    } catch (error) {
      if (!(error instanceof ProcessEnd)) throw error
      await ended(last)
    }
  }
}
