import type { Knex } from 'knex'

import { toStorable } from '../../domain/texts/invalid-characters.js'
import { postgresTypes } from '../connections/postgres-types.js'
import { timeLimitOf } from './time-limit.js'

const maxInt4 = 2 ** 31 - 1

interface Statement {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  readonly options?: object
  response?: unknown
}

/** The members of a Knex client that are used here, of a pool as of a transaction. */
interface PostgresClient {
  readonly constructor: object
  _query(connection: object, statement: Statement): Promise<Statement>
}
type ClientClass = new (...parameters: never[]) => PostgresClient

/** By connection: settles when the last statement has ended, because the driver takes one at a time. */
const turns = new WeakMap<object, Promise<unknown>>()

/** By the class of a client and the timeout: the prototype of one whose statements are the chat's. */
const prototypes = new WeakMap<object, Map<string | undefined, object>>()

/**
 * Lets the statements of a pool or of a transaction, and of transactions within it, be those that the
 * chat writes: numbers and booleans as values have a type of SQL, and whole numbers of 64 bits are read as numbers.
 * The driver's own parsers are those of the whole process, so they stay as they are.
 *
 * @param timeout that of the sessions, which a statement with a limit of its own restores. Undefined
 *   for a transaction of a session of the application, which keeps its own.
 */
export function adaptStatements({ client }: Pick<Knex, 'client'>, timeout?: string): void {
  // Every client of Knex has `_query`, which its types do not declare.
  const own = client as PostgresClient
  const ofClass = prototypes.get(own.constructor) ?? new Map<string | undefined, object>()
  prototypes.set(own.constructor, ofClass)
  const prototype = ofClass.get(timeout) ?? adapted(own.constructor as ClientClass, timeout)
  ofClass.set(timeout, prototype)
  Object.setPrototypeOf(own, prototype)
}

function adapted(Base: ClientClass, timeout: string | undefined): object {
  const set = timeout === undefined ? 'SET LOCAL' : 'SET'
  return class extends Base {
    override async _query(connection: object, statement: Statement): Promise<Statement> {
      const bindings = statement.bindings?.map(storable)
      const sql = withTypes(statement.sql, bindings ?? [])
      const options = { ...statement.options, types: postgresTypes }
      const run = (text: string, values?: readonly unknown[]): Promise<Statement> =>
        super._query(connection, { sql: text, ...(values && { bindings: values }), options })
      const runLimited = async (limit: number): Promise<Statement> => {
        const restored = timeout ?? timeoutOf(await run('SHOW statement_timeout'))
        await run(`${set} statement_timeout = ${limit}`)
        try {
          return await run(sql, bindings)
        } finally {
          // In a transaction that has failed, its end restores the timeout.
          await run(`${set} statement_timeout = ${restored}`).catch(() => {})
        }
      }
      const limit = timeLimitOf(sql)
      const turn = (turns.get(connection) ?? Promise.resolve()).then(() =>
        limit === undefined ? run(sql, bindings) : runLimited(limit),
      )
      const ended = turn.catch(() => {})
      turns.set(connection, ended)
      statement.response = (await turn).response
      return statement
    }
  }.prototype
}

function timeoutOf({ response }: Statement): string {
  const { rows } = response as { readonly rows: readonly { readonly statement_timeout: string }[] }
  return `'${rows[0]?.statement_timeout ?? 0}'`
}

/** A text without the characters that the server refuses. */
export function storable(value: unknown): unknown {
  return typeof value === 'string' ? toStorable(value) : value
}

/** The statement, in which numbers and booleans have a type for the server, too. */
function withTypes(sql: string, values: readonly unknown[]): string {
  if (!values.some((value) => typeof value === 'number' || typeof value === 'boolean')) return sql
  return sql.replaceAll(/\$(\d+)\b(?!::)/g, (mark, position: string) => {
    const value = values[Number(position) - 1]
    if (typeof value === 'boolean') return `${mark}::bool`
    if (typeof value !== 'number') return mark
    if (!Number.isSafeInteger(value)) return `${mark}::float8`
    return Math.abs(value) <= maxInt4 ? `${mark}::int4` : `${mark}::int8`
  })
}
