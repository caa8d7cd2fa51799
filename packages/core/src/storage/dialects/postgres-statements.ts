import type { Knex } from 'knex'

import { toStorable } from '../../domain/texts/invalid-characters.js'
import { postgresTypes } from '../connections/postgres-types.js'
import { isPlanOutdated } from './postgres-errors.js'
import { StatementNames } from './statement-names.js'
import { timeLimitOf } from './time-limit.js'

const maxInt4 = 2 ** 31 - 1

interface Statement {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  readonly options?: object
  response?: unknown
}

/** The members of a connection of the driver that are used here. */
interface Connection {
  /** Newer versions of the driver have it. */
  getTransactionStatus?(): string | null
}

/** The members of a Knex client that are used here, of a pool as of a transaction. */
interface PostgresClient {
  readonly constructor: object
  /** Of a transaction. */
  readonly transacting?: boolean
  _query(connection: Connection, statement: Statement): Promise<Statement>
}
type ClientClass = new (...parameters: never[]) => PostgresClient

/** By connection: resolves when its last statement has ended, because the driver takes one at a time. */
const lastStatements = new WeakMap<object, Promise<unknown>>()

/** By connection of the chat's own pools: the `statement_timeout` of its session. */
const timeouts = new WeakMap<object, string>()

/** By the class of a client: the prototypes of one whose statements are the chat's. */
const prototypes = new WeakMap<object, Map<boolean, object>>()

/**
 * Lets the statements of a pool or of a transaction, and of transactions within it, be those that the
 * chat writes: numbers and booleans as values have a type of SQL, and whole numbers of 64 bits are read as numbers.
 * The driver's own parsers are those of the whole process, so they stay as they are.
 *
 * @param isOwn whether the sessions are the chat's: statements may have names there, and a limited
 *   one may change the timeout outside of transactions. The application may change its own sessions,
 *   and a pooler those of anybody.
 */
export function adaptStatements({ client }: Pick<Knex, 'client'>, isOwn = false): void {
  // Every client of Knex has `_query`, which its types do not declare.
  const own = client as PostgresClient
  // A savepoint has the statements of its transaction. Adapted again, they would wait for themselves.
  if ('isAdapted' in own) return
  const ofClass = prototypes.get(own.constructor) ?? new Map<boolean, object>()
  prototypes.set(own.constructor, ofClass)
  const prototype = ofClass.get(isOwn) ?? adapted(own.constructor as ClientClass, isOwn)
  ofClass.set(isOwn, prototype)
  Object.setPrototypeOf(own, prototype)
}

function adapted(Base: ClientClass, isOwn: boolean): object {
  const names = isOwn ? new StatementNames() : undefined
  const set = isOwn ? 'SET' : 'SET LOCAL'
  return class extends Base {
    get isAdapted(): boolean {
      return true
    }

    override async _query(connection: Connection, statement: Statement): Promise<Statement> {
      const values = statement.bindings?.map(storable)
      const sql = withTypes(statement.sql, values ?? [])
      const run = (
        text: string,
        bindings?: readonly unknown[],
        name?: string,
      ): Promise<Statement> => {
        const options = { ...statement.options, types: postgresTypes, ...(name && { name }) }
        return super._query(connection, { sql: text, ...(bindings && { bindings }), options })
      }
      const runNamed = async (): Promise<Statement> => {
        const name = values && names?.of(sql)
        try {
          return await run(sql, values, name)
        } catch (error) {
          if (name === undefined || !isPlanOutdated(error)) throw error
          names?.renew()
          // In a transaction, only its end would run.
          if (connection.getTransactionStatus?.() !== 'I') throw error
          return run(sql, values)
        }
      }
      const runLimited = async (limit: number): Promise<Statement> => {
        const known = isOwn ? timeouts.get(connection) : undefined
        const timeout = known ?? timeoutOf(await run('SHOW statement_timeout'))
        if (isOwn) timeouts.set(connection, timeout)
        await run(`${set} statement_timeout = ${limit}`)
        try {
          // Planned for its values, which a client determines.
          return await run(sql, values)
        } finally {
          // In a transaction that has failed, its end restores the timeout.
          await run(`${set} statement_timeout = ${timeout}`).catch(() => {})
        }
      }
      /** In a transaction for it alone, because a pooler may give the next one another session. */
      const runAlone = async (limit: number): Promise<Statement> => {
        await run(`BEGIN; SET LOCAL jit = off; SET LOCAL statement_timeout = ${limit}`)
        try {
          const done = await run(sql, values)
          await run('COMMIT')
          return done
        } catch (error) {
          await run('ROLLBACK').catch(() => {})
          throw error
        }
      }
      const runWithin = isOwn || this.transacting === true ? runLimited : runAlone
      const limit = timeLimitOf(sql)
      const result = (lastStatements.get(connection) ?? Promise.resolve()).then(() =>
        limit === undefined ? runNamed() : runWithin(limit),
      )
      const ended = result.catch(() => {})
      lastStatements.set(connection, ended)
      statement.response = (await result).response
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
