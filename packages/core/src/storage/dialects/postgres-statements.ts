import type { Knex } from 'knex'

import { toWellFormed } from '../../domain/texts/folding.js'
import { timeLimitOf } from './time-limit.js'

const int8 = 20
const numeric = 1700
const maxInt4 = 2 ** 31 - 1

type Parser = (value: string) => unknown

/** The parsers of the driver's values, by the type of a column. */
interface Types {
  getTypeParser(oid: number, format?: string): Parser
}

interface Statement {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  readonly options?: object
  response?: unknown
}

/** The members of a Knex client that are used here, of a pool as of a transaction. */
interface PostgresClient {
  readonly constructor: object
  readonly driver: { readonly types: Types }
  _query(connection: object, statement: Statement): Promise<Statement>
}
type ClientClass = new (...parameters: never[]) => PostgresClient

/** By the class of a client: the prototype of one whose statements are the chat's. */
const prototypes = new WeakMap<object, object>()

/**
 * Lets the statements of a pool or of a transaction, and of transactions within it, be those that the
 * chat writes: numbers and booleans as values have a type of SQL, and whole numbers of 64 bits are read as numbers.
 * The driver's own parsers are those of the whole process, so they stay as they are.
 *
 * @param timeout that of the sessions, which a statement with a limit of its own restores.
 */
export function adaptStatements({ client }: Pick<Knex, 'client'>, timeout = 'DEFAULT'): void {
  // Every client of Knex has `_query`, which its types do not declare.
  const own = client as PostgresClient
  const known = prototypes.get(own.constructor)
  const prototype = known ?? adapted(own.constructor as ClientClass, timeout)
  prototypes.set(own.constructor, prototype)
  Object.setPrototypeOf(own, prototype)
}

function adapted(Base: ClientClass, timeout: string): object {
  return class extends Base {
    override _query(connection: object, statement: Statement): Promise<Statement> {
      const bindings = statement.bindings?.map(storable)
      const sql = withTypes(statement.sql, bindings ?? [])
      const options = { ...statement.options, types: typesOf(this.driver.types) }
      const limit = timeLimitOf(sql)
      const run = (text: string, values?: readonly unknown[]): Promise<Statement> =>
        super._query(connection, { sql: text, ...(values && { bindings: values }), options })
      return inTurn(connection, async () => {
        if (limit !== undefined) await run(`SET statement_timeout = ${limit}`)
        try {
          statement.response = (await run(sql, bindings)).response
        } finally {
          // In a transaction that has failed, its end restores the timeout.
          if (limit !== undefined) await run(`SET statement_timeout = ${timeout}`).catch(() => {})
        }
        return statement
      })
    }
  }.prototype
}

/** By connection: the end of its last statement. */
const lastStatements = new WeakMap<object, Promise<unknown>>()

/** Runs a statement after those that its connection has: the driver wants one at a time. */
function inTurn<Result>(connection: object, run: () => Promise<Result>): Promise<Result> {
  const last = lastStatements.get(connection)
  const result = last === undefined ? run() : last.then(run, run)
  lastStatements.set(connection, result)
  return result
}

/** A text without U+0000, which the server refuses, and without lone surrogates. */
export function storable(value: unknown): unknown {
  return typeof value === 'string' ? toWellFormed(value).replaceAll('\0', '\uFFFD') : value
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

const typesOfDrivers = new WeakMap<Types, Types>()

function typesOf(types: Types): Types {
  const known = typesOfDrivers.get(types)
  if (known !== undefined) return known
  const own: Types = {
    getTypeParser: (oid, format) =>
      oid === int8 || oid === numeric ? Number : types.getTypeParser(oid, format),
  }
  typesOfDrivers.set(types, own)
  return own
}
