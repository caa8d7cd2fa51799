import type { Knex } from 'knex'

import { EventLoopYielder } from '../../kernel/event-loop-yielder.js'
import { quoted, runDirectly } from '../rows/direct-statement.js'
import { united } from '../rows/read-batch.js'
import type { ColumnFacts } from '../tables/column.js'
import { deleteSome } from './delete-some.js'
import type { Dialect } from './dialect.js'
import { fitName } from './fitting-names.js'
import { beginTransaction } from './knex-transaction.js'
import {
  isConnectionLost,
  isLocked,
  isRetryable,
  isInterrupted,
  isUnavailable,
  isUniqueViolation,
  unusableReasonOf,
} from './postgres-errors.js'
import { postgresExecutor } from './postgres-executor.js'
import { requireFeatures } from './postgres-features.js'
import { insertRows, jsonRows } from './postgres-insert.js'
import { reserveIds } from './postgres-sequences.js'
import { adaptStatements } from './postgres-statements.js'

/** Looking at the clock takes longer than a row. */
const rowsPerCheck = 200
/** Cannot be the name of a migration. */
const probeName = '@probe'
const maxNameLength = 63

/** The members of a connection of the driver that are used here. */
interface PostgresConnection {
  /** Set by Knex on a connection that it does not use any more. */
  __knex__disposed?: unknown
  end(): Promise<void>
}

interface Result {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: readonly Record<string, unknown>[]
}

/** PostgreSQL 13 and later. */
export const postgresDialect: Dialect = {
  name: 'postgresql',
  executors: postgresExecutor,
  hasSingleWriter: false,
  rollsBackTables: true,
  hasFullTextTables: false,
  // OFFSET keeps the optimizer from making a join of it, which could begin with this table.
  orderedJoin: (kind, table, alias, condition) =>
    `${kind} JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias} ON TRUE`,
  forUpdate: ' FOR UPDATE',
  sql: {
    integer: (value) => `CAST(${value} AS bigint)`,
    concatenated: (first, second) => `(${first} || ${second})`,
    // The optimizer estimates the rows as it does for the comparison itself.
    equalWithoutIndex: (column, value) => `(${column} = ${value}) IS TRUE`,
    contains: (text) => `STRPOS(${text}, ?) > 0`,
    jsonNumber: (text, ...path) => `CAST(${text}::json #>> '{${path.join(',')}}' AS bigint)`,
    onConflict: (...key) => `ON CONFLICT (${key.join(', ')}) DO UPDATE SET`,
    isReplica: 'pg_is_in_recovery()',
  },
  tables: {
    collation: ' COLLATE "C"',
    ending: '',
    clustered: '',
    generated: 'STORED',
    hasPartialIndexes: true,
    typeOf,
  },
  rowsOf,

  async clockSeconds(executor) {
    const sql = 'SELECT FLOOR(EXTRACT(EPOCH FROM clock_timestamp())) AS seconds'
    const [row] = rowsOf(await executor.raw(sql))
    return Number(row?.['seconds'])
  },

  isUniqueViolation,
  isRetryable,
  isUnavailable,
  isLocked,
  unusableReasonOf,
  isInterrupted,
  isAnswerLost: isConnectionLost,
  isAppliedAlready: () => false,

  async probeWrite(trx, table) {
    await trx(table).insert({ name: probeName })
    return 'rollback'
  },

  fitNames: (sql) =>
    sql.replaceAll(/"([^"]+)"/g, (_, name: string) => `"${fitName(name, maxNameLength)}"`),

  insertRows,

  async insertIfAbsent(executor, table, key, row) {
    const names = Object.keys(row).map(quoted)
    const first = quoted(key[0] ?? 'id')
    // A conflict that changes nothing would return no row.
    const { response } = await runDirectly(
      executor,
      `INSERT INTO ${quoted(table)} (${names.join(', ')})
       VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (${key.map(quoted).join(', ')}) DO UPDATE SET ${first} = excluded.${first}
       RETURNING id`,
      Object.values(row),
    )
    return Number(rowsOf(response)[0]?.['id'])
  },

  async upsertRows(executor, table, key, rows) {
    const { columns, json } = jsonRows(rows)
    const names = columns.map(quoted)
    const changed = columns.filter((column) => !key.includes(column)).map(quoted)
    await runDirectly(
      executor,
      `INSERT INTO ${quoted(table)} (${names.join(', ')})
       SELECT ${names.join(', ')} FROM json_populate_recordset(NULL::${quoted(table)}, ?)
       ON CONFLICT (${key.map(quoted).join(', ')})
       DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      [json],
    )
  },

  async selectRows(_executor, query) {
    // A raw statement returns the whole result.
    const result = (await query) as Record<string, unknown>[] | Result
    return Array.isArray(result) ? result : [...result.rows]
  },

  async selectTogether(executor, reads) {
    const { sql, values } = united(reads, ({ sql, columns }, index) => {
      const list = columns.map((column) => quoted(column)).join(', ')
      return `SELECT ${index} AS part, COALESCE(json_agg(json_build_array(${list})), '[]')::text AS json
        FROM (${sql}) q${index}`
    })
    const { response } = await runDirectly(executor, sql, values)
    const results = reads.map((): Record<string, unknown>[] => [])
    const yielder = new EventLoopYielder()
    for (const { part, json } of rowsOf(response)) {
      const columns = reads[Number(part)]?.columns ?? []
      const rows = JSON.parse(String(json)) as (readonly unknown[])[]
      for (const [index, row] of rows.entries()) {
        if (index % rowsPerCheck === 0 && yielder.isDue) await yielder.yield()
        const entries = columns.map((name, column) => [name, row[column]] as const)
        results[Number(part)]?.push(Object.fromEntries(entries))
      }
    }
    return results
  },

  insertedRows: ({ response }) => (response as { rowCount: number | null }).rowCount ?? 0,

  async advanceCounter(executor, table, column, id, count) {
    const { response } = await runDirectly(
      executor,
      `UPDATE ${quoted(table)} SET ${quoted(column)} = ${quoted(column)} + ? WHERE id = ?
       RETURNING ${quoted(column)} AS value`,
      [count, id],
    )
    const [row] = rowsOf(response)
    return row && Number(row['value'])
  },

  reserveIds,

  deleteSome,

  lockShared: (query, of) => query.forShare(...lockedRows(of)) as typeof query,
  async beginWriting() {},
  lockForUpdate: (query, of) => query.forUpdate(...lockedRows(of)) as typeof query,
  lockIfFree: (query) => query.forUpdate().skipLocked() as typeof query,

  requireFeatures,

  async exclusively(single, name, work) {
    // Schema changes can be rolled back, so one transaction is both lock and rollback.
    await single.raw('BEGIN')
    try {
      await single.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
      const result = await work()
      await single.raw('COMMIT')
      return result
    } catch (error) {
      await single.raw('ROLLBACK').catch(() => {
        // Without a connection there is no transaction; the first error is reported.
      })
      throw error
    }
  },

  adapt: (transaction) => adaptStatements(transaction),

  async begin(pool, isolate) {
    const open = await beginTransaction(
      pool,
      // Its default may be another one.
      { isolationLevel: 'read committed' },
      (connection: PostgresConnection, error) => {
        connection.__knex__disposed = error
        // The transaction may still be open.
        connection.end().catch(() => {})
      },
    )
    if (isolate) adaptStatements(open.executor)
    requireCommit(open.executor)
    return open
  },

  async snapshot(pool, read) {
    // The snapshot is taken at the first read.
    const config = { isolationLevel: 'repeatable read', readOnly: true } as const
    return pool.transaction((trx: Knex.Transaction) => read(trx), config)
  },
}

function lockedRows(of: string | undefined): string[] {
  return of === undefined ? [] : [of]
}

/** Lets the end of a transaction fail if COMMIT has rolled it back, as it does after an error. */
function requireCommit({ client }: Knex.Transaction): void {
  // A transaction has a client of its own.
  const own = client as {
    query(connection: unknown, query: unknown): Promise<{ readonly response: Result }>
  }
  const query = own.query.bind(own)
  own.query = async (connection, statement) => {
    const run = await query(connection, statement)
    const isCommit = typeof statement === 'string' && statement.startsWith('COMMIT')
    if (isCommit && run.response.command !== 'COMMIT') {
      throw new Error('The transaction was rolled back after an error in it')
    }
    return run
  }
}

function rowsOf(response: unknown): readonly Record<string, unknown>[] {
  return (response as Result).rows
}

function typeOf(name: string, { kind, maxLength }: ColumnFacts): string | undefined {
  switch (kind) {
    case 'id':
      return name === 'id' ? 'bigint generated by default as identity primary key' : 'bigint'
    case 'count':
    case 'bigInteger':
      return 'bigint'
    case 'string':
      return `varchar(${maxLength}) COLLATE "C"`
    case 'text':
    case 'longText':
      return 'text COLLATE "C"'
    case 'bytes':
      return 'bytea'
    default:
      return undefined
  }
}
