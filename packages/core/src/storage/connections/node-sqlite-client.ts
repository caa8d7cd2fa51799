import { createRequire, isBuiltin } from 'node:module'
import { resolve } from 'node:path'

import type { Knex } from 'knex'
import BetterSqliteClient, { type ClientQuery } from 'knex/lib/dialects/better-sqlite3/index.js'

/**
 * The used parts of `node:sqlite`, for which the types of the oldest supported Node.js have no
 * declarations.
 */
interface NodeSqlite {
  readonly DatabaseSync: new (
    filename: string,
    options: { readonly readOnly: boolean },
  ) => NodeSqliteConnection
}

interface NodeSqliteConnection {
  prepare(sql: string): NodeSqliteStatement
  close(): void
}

interface NodeSqliteStatement {
  all(...bindings: readonly unknown[]): Readonly<Record<string, unknown>>[]
  run(...bindings: readonly unknown[]): {
    readonly changes: number | bigint
    readonly lastInsertRowid: number | bigint
  }
  setReadBigInts(isOn: boolean): void
}

/** Knex's methods that write and return no rows. */
const writingMethods = new Set(['insert', 'update', 'del', 'counter'])

class NodeSqlite3Client extends BetterSqliteClient {
  override _driver(): NodeSqlite {
    if (!isBuiltin('node:sqlite')) {
      throw new Error("This Node.js has no 'node:sqlite': it needs 22.16 or newer")
    }
    // The path does not matter for a built-in module.
    return createRequire(resolve('index.js'))('node:sqlite') as NodeSqlite
  }

  override async acquireRawConnection(): Promise<NodeSqliteConnection> {
    const { filename, options } = this.connectionSettings
    const { DatabaseSync } = this.driver as NodeSqlite
    return new DatabaseSync(filename, { readOnly: options?.readonly === true })
  }

  override async destroyRawConnection(connection: NodeSqliteConnection): Promise<void> {
    connection.close()
  }

  override async _query(
    connection: NodeSqliteConnection,
    query: ClientQuery,
  ): Promise<ClientQuery> {
    if (!query.sql) throw new Error('The query is empty')
    const statement = connection.prepare(query.sql)
    if (this.connectionSettings.options?.safeIntegers === true) statement.setReadBigInts(true)
    const bindings = (query.bindings ?? []).map(bindable)
    if (writingMethods.has(query.method ?? '') && !query.returning) {
      const { changes, lastInsertRowid } = statement.run(...bindings)
      query.context = { changes, lastID: lastInsertRowid }
    } else {
      query.response = statement.all(...bindings).map(plainRow)
    }
    return query
  }
}

Object.assign(NodeSqlite3Client.prototype, { driverName: 'node:sqlite' })

/**
 * A client for Knex that uses the SQLite library of Node.js itself, `node:sqlite`, from Node.js
 * 22.16: for an application whose own queries must use the same library as the chat's.
 *
 * `connection` has a `filename` and, as with better-sqlite3, `options: { readonly, safeIntegers }`.
 *
 * @throws {Error} when Knex is called, if this Node.js has no `node:sqlite`.
 */
export const NodeSqliteClient: typeof Knex.Client = NodeSqlite3Client

/**
 * Converts values that the other drivers accept directly. An object would be taken for named
 * values.
 */
export function bindable(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Date) return value.valueOf()
  return value
}

/** A row in the format of the other drivers: with a prototype, and bytes as a Buffer. */
function plainRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = { ...row }
  for (const name in plain) {
    const value = plain[name]
    if (value instanceof Uint8Array) {
      plain[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  }
  return plain
}
