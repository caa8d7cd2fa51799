import type { Knex } from 'knex'

// What an application passes may come from another copy of Knex than the one that is used here, and
// the types of two releases of Knex do not match each other. These shapes have what all releases
// from 3.1 on have in common, and need no types of Knex.

/** A Knex instance of the application, from any copy of Knex 3.1 or later. */
export interface KnexInstance {
  (tableName: string): object
  readonly client: unknown
  readonly raw: (sql: string) => object
  destroy(): Promise<void>
}

/** A Knex transaction of the application that has begun, from any copy of Knex 3.1 or later. */
export interface KnexTransaction extends KnexInstance {
  readonly executionPromise: Promise<unknown>
  readonly isCompleted: () => boolean
  commit(value?: unknown): object
  rollback(error?: unknown): object
}

/** A Knex configuration; Knex documents its fields. */
export interface KnexConfiguration {
  /** The name of a driver, or the class of a Knex client. */
  readonly client?: unknown
  /** An address, what the driver takes, or a function that returns it. */
  readonly connection?: unknown
  readonly pool?: object
  readonly acquireConnectionTimeout?: number
  readonly asyncStackTraces?: boolean
  readonly compileSqlOnError?: boolean
  readonly connectionPool?: unknown
  readonly debug?: boolean
  readonly defaultDateTimePrecision?: number
  readonly dialect?: string
  readonly fetchAsString?: readonly string[]
  readonly jsonbSupport?: boolean
  readonly log?: object
  readonly migrations?: object
  readonly postProcessResponse?: unknown
  readonly searchPath?: string | readonly string[]
  readonly seeds?: object
  readonly useNullAsDefault?: boolean
  readonly version?: string
  readonly wrapIdentifier?: unknown
}

/** The application's Knex instance, or what is needed to make one. */
export type DatabaseOption = KnexInstance | KnexConfiguration

export function isKnex(option: DatabaseOption): option is KnexInstance & Knex {
  return typeof option === 'function'
}

export function isTransaction(
  value: KnexTransaction | null,
): value is KnexTransaction & Knex.Transaction {
  return (value as { isTransaction?: boolean } | null)?.isTransaction === true
}

/** The configuration that an application's option holds, as Knex itself takes it. */
export function configurationOf(option: DatabaseOption): Knex.Config {
  return isKnex(option)
    ? (option.client as { config: Knex.Config }).config
    : (option as Knex.Config)
}
