import createKnex, { type Knex } from 'knex'

import type { DatabaseColumn } from '../support/databases.js'

/** A failure of a statement: before the database receives it, or after its execution. */
export interface Fault {
  readonly when: 'before' | 'after'
  readonly statement: RegExp
  readonly error: Error & { code?: string; errno?: number }
  /** Number of failures. */
  times: number
  /** Whether the connection stays open, as after a statement that the server refuses. */
  readonly keepsConnection?: boolean
}

interface Query {
  readonly sql?: string
}

interface Client {
  _query(connection: unknown, query: Query): Promise<unknown>
}

/** A statement that a test delays. */
export interface Hold {
  /** Resolves when the statement is about to be sent. */
  readonly reached: Promise<void>
  /** Sends it. */
  readonly release: () => void
}

type ClientClass = new (config: Knex.Config) => Client

/** A kind of database whose connections fail on request, through a Knex client class. */
export function faulty(column: DatabaseColumn): {
  readonly column: DatabaseColumn
  readonly faults: Fault[]
  /** The statements sent to the database, oldest first. */
  readonly statements: string[]
  /** Delays the next statement of the kind, from any connection. */
  readonly hold: (statement: RegExp) => Hold
  /** Resolves when the next statement of the kind is about to be sent. */
  readonly next: (statement: RegExp) => Promise<void>
} {
  const awaited: { statement: RegExp; reach: () => void; released: Promise<void> }[] = []
  const hold = (statement: RegExp): Hold => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const reached = new Promise<void>((reach) => awaited.push({ statement, reach, released }))
    return { reached, release }
  }
  const faults: Fault[] = []
  const statements: string[] = []
  const take = (when: Fault['when'], { sql }: Query): Fault | undefined => {
    const fault = faults.find(
      (one) => one.when === when && one.times > 0 && one.statement.test(sql ?? ''),
    )
    if (fault !== undefined) fault.times -= 1
    return fault
  }
  return {
    faults,
    statements,
    hold,
    next(statement) {
      const { reached, release } = hold(statement)
      release()
      return reached
    },
    column: {
      ...column,
      async create() {
        const database = await column.create()
        const pool = createKnex(database.config)
        const Base = (pool.client as { constructor: ClientClass }).constructor
        await pool.destroy()
        class FaultyClient extends Base {
          override async _query(connection: unknown, query: Query): Promise<unknown> {
            statements.push(query.sql ?? '')
            const index = awaited.findIndex(({ statement }) => statement.test(query.sql ?? ''))
            const [held] = index === -1 ? [] : awaited.splice(index, 1)
            held?.reach()
            await held?.released
            const early = take('before', query)
            if (early !== undefined) fail(early, connection)
            const result = await super._query(connection, query)
            const late = take('after', query)
            if (late !== undefined) fail(late, connection)
            return result
          }
        }
        return { ...database, config: { ...database.config, client: FaultyClient as never } }
      },
    },
  }
}

function fail({ error, keepsConnection = false }: Fault, connection: unknown): never {
  // MySQL rolls back the transaction of a lost connection.
  if (!keepsConnection) (connection as { destroy?: () => void }).destroy?.()
  throw error
}

const codes = { sqlite: 'SQLITE_IOERR', mysql: 'PROTOCOL_CONNECTION_LOST', postgres: 'ECONNRESET' }

/** The error with which a driver reports that the database is unavailable. */
export function unavailable(name: DatabaseColumn['name']): Fault['error'] {
  const code = codes[name]
  return Object.assign(new Error(`${code}: simulated by the test`), { code })
}
