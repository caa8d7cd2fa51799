import knexPackage, { type Knex } from 'knex'

import { within } from './waiting.js'

/** A server whose statements are recorded; see `TestHost`. */
interface ObservedHost {
  readonly databaseConfig: Knex.Config
  readonly isShared: boolean
}

/** One statement that some Knex instance of this process has sent. */
export interface Statement {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

/** As Knex passes it to a connection. */
type Query = string | { readonly sql: string; readonly bindings?: readonly unknown[] }

interface Pool {
  readonly config: Knex.Config
}

/**
 * Records every statement that any pool sends to a database while `work` runs: tests have no access
 * to the pools of a server, and cannot subscribe to their `query` events.
 *
 * @param host servers of other databases in this process may do background work meanwhile.
 * @throws {Error} if other groups of cases use the server too: what their users and clocks have
 *   caused is done in the background.
 */
export async function statementsOf(
  { databaseConfig, isShared }: ObservedHost,
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  if (isShared) throw new Error('Start a server for this group of cases, to count its statements')
  const prototype = knexPackage.Client.prototype as {
    emit: (this: Pool, name: string, ...args: readonly unknown[]) => boolean
  }
  const original = prototype.emit
  // A transaction forwards its events to its pool, so each occurs twice. Knex's numbers of
  // statements do not tell: BEGIN and COMMIT have none.
  const isPostgres = databaseConfig.client === 'pg'
  const noted = new Set<Statement>()
  prototype.emit = function (name, ...args) {
    if (name === 'query' && nameOf(this.config) === nameOf(databaseConfig)) {
      noted.add(args[0] as Statement)
    }
    return original.call(this, name, ...args)
  }
  try {
    await work()
  } finally {
    prototype.emit = original
  }
  return [...noted].map(({ sql, bindings }) => ({
    sql: isPostgres ? inOneForm(sql) : sql,
    bindings,
  }))
}

/** A statement of PostgreSQL with the quotes and marks of the other databases. */
function inOneForm(sql: string): string {
  return sql.replaceAll('"', '`').replaceAll(/\$\d+/g, '?')
}

/** The file of SQLite, or the name of the database on its server. */
function nameOf({ connection }: Knex.Config): string | undefined {
  if (typeof connection !== 'object') return undefined
  if ('filename' in connection) return connection.filename
  return 'database' in connection ? connection.database : undefined
}

/**
 * Resolves when the database has answered a matching statement of any Knex instance.
 *
 * @throws {Error} if there is none within the time limit of tests.
 */
export async function answered(pattern: RegExp, work: () => void): Promise<void> {
  const prototype = knexPackage.Client.prototype as {
    emit: (this: unknown, name: string, ...args: readonly unknown[]) => boolean
  }
  const original = prototype.emit
  try {
    const coming = new Promise<void>((resolve) => {
      prototype.emit = function (name, ...args) {
        const sql = name === 'query-response' ? (args[1] as Statement).sql : undefined
        if (sql !== undefined && pattern.test(sql)) resolve()
        return original.call(this, name, ...args)
      }
    })
    work()
    await within(`a statement like ${pattern}`, coming)
  } finally {
    prototype.emit = original
  }
}

/**
 * Runs `meanwhile` while the first matching statement of any Knex instance waits to be sent, or to be
 * returned.
 *
 * @throws {Error} if there is none within the time limit of tests, or `meanwhile` fails.
 */
export async function pausedAt(
  isWanted: (statement: Statement) => boolean,
  meanwhile: () => Promise<unknown>,
  work: () => Promise<unknown>,
  until: 'sent' | 'returned' = 'sent',
): Promise<void> {
  const prototype = knexPackage.Client.prototype as {
    query: (this: unknown, connection: unknown, statement: Query) => Promise<unknown>
  }
  const original = prototype.query
  try {
    let pause: Promise<unknown> | undefined
    const over = new Promise<void>((resolve, reject) => {
      prototype.query = async function (connection, statement) {
        const { sql, bindings } = typeof statement === 'string' ? { sql: statement } : statement
        if (pause !== undefined || !isWanted({ sql, bindings: bindings ?? [] })) {
          return original.call(this, connection, statement)
        }
        const waiting = async (): Promise<void> => {
          pause = within('what is done meanwhile', meanwhile())
          await pause.then(() => resolve(), reject)
        }
        if (until === 'sent') await waiting()
        const result = await original.call(this, connection, statement)
        if (until === 'returned') await waiting()
        return result
      }
    })
    await Promise.all([work(), within('a statement that is paused', over)])
  } finally {
    prototype.query = original
  }
}
