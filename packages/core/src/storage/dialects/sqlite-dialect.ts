import type { Knex } from 'knex'

import { EventLoopYielder, withoutYielding } from '../../kernel/event-loop-yielder.js'
import { isPoolExhausted } from '../connections/pools.js'
import { requireSqliteFeatures } from '../connections/sqlite-libraries.js'
import { quoted, runDirectly } from '../rows/direct-statement.js'
import { united } from '../rows/read-batch.js'
import type { Dialect } from './dialect.js'
import { deleteSome } from './delete-some.js'
import { sqliteExecutor } from './sqlite-executor.js'
import {
  isBusy,
  isFileUnavailable,
  isInterrupted,
  isUniqueViolation,
  unusableReasonOf,
} from './sqlite-errors.js'

/** Looking at the clock takes longer than a row. */
const rowsPerCheck = 500

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  executors: sqliteExecutor,
  hasSingleWriter: true,
  rollsBackTables: true,
  hasFullTextTables: true,
  orderedJoin: (kind, table, alias, condition) =>
    `${kind === 'INNER' ? 'CROSS' : kind} JOIN ${table} ${alias} ON ${condition}`,
  // The single writer excludes all others while its transaction is open.
  forUpdate: '',
  sql: {
    integer: (value) => `CAST(${value} AS INTEGER)`,
    concatenated: (first, second) => `(${first} || ${second})`,
    equalWithoutIndex: (column, value) => `${column} + 0 = ${value}`,
    contains: (text) => `INSTR(${text}, ?) > 0`,
    jsonNumber: (text, ...path) => `JSON_EXTRACT(${text}, '$.${path.join('.')}')`,
    onConflict: (...key) => `ON CONFLICT (${key.join(', ')}) DO UPDATE SET`,
  },
  tables: {
    collation: '',
    ending: '',
    clustered: ' WITHOUT ROWID',
    generated: 'VIRTUAL',
    hasPartialIndexes: true,
    typeOf: (_name, { kind }) => (kind === 'bytes' ? 'blob' : undefined),
  },
  rowsOf: (response) => response as readonly unknown[],

  clockSeconds: async () => undefined,

  isUniqueViolation,

  isRetryable: () => false,
  isAppliedAlready: () => false,
  fitNames: (sql) => sql,

  isLocked: isBusy,
  unusableReasonOf,
  isInterrupted,

  async probeWrite(trx, table) {
    // SQLite writes a row also if nothing in it changes, and the disk at the commit.
    await trx(table).update({ name: trx.ref('name') })
    return 'commit'
  },

  isUnavailable(error) {
    return isFileUnavailable(error) || isPoolExhausted(error)
  },

  insertedRows: ({ context }) => Number(context?.changes ?? 0),

  async insertRows(executor, table, rows) {
    const columns = [...new Set(rows.flatMap(Object.keys))]
    const list = (rows as readonly Record<string, unknown>[]).map((row) =>
      columns.map((column) => row[column] ?? null),
    )
    // Knex itself would generate a compound SELECT, which SQLite limits to 500 terms.
    const values = columns.map((_, index) => `value ->> ${index}`).join(', ')
    const { context } = await runDirectly(
      executor,
      `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')})
       SELECT ${values} FROM json_each(?) ORDER BY key`,
      [JSON.stringify(list)],
      'insert',
    )
    // The driver reports the last id, and the single writer leaves no gaps.
    const firstId = Number(context?.lastID ?? 0) - rows.length + 1
    return rows.map((_, index) => firstId + index)
  },

  async insertIfAbsent(executor, table, _key, row) {
    const names = Object.keys(row).map(quoted)
    const values = names.map(() => '?').join(', ')
    // A conflict that changes nothing would return no row.
    const { response } = await runDirectly(
      executor,
      `INSERT INTO ${quoted(table)} (${names.join(', ')}) VALUES (${values})
       ON CONFLICT DO UPDATE SET id = id RETURNING id`,
      Object.values(row),
    )
    return (response as [{ id: number }])[0].id
  },

  async upsertRows(executor, table, key, rows) {
    const columns = Object.keys(rows[0] ?? {})
    const names = columns.map(() => '??').join(', ')
    const values = columns.map((_, index) => `value ->> ${index}`).join(', ')
    const changed = columns.filter((column) => !key.includes(column))
    const list = (rows as readonly Record<string, unknown>[]).map((row) =>
      columns.map((column) => row[column] ?? null),
    )
    await executor.raw(
      `INSERT INTO ?? (${names}) SELECT ${values} FROM json_each(?) WHERE 1
       ON CONFLICT (${key.map(() => '??').join(', ')}) DO UPDATE SET ${changed.map(() => '?? = excluded.??').join(', ')}`,
      [
        table,
        ...columns,
        JSON.stringify(list),
        ...key,
        ...changed.flatMap((column) => [column, column]),
      ],
    )
  },

  async selectRows(executor, query, columns) {
    return rowsOf(await selectLists(executor, query, columns), columns)
  },

  async selectTogether(executor, reads) {
    const width = Math.max(...reads.map(({ columns }) => columns.length))
    const { sql, values } = united(reads, ({ sql, columns }) => {
      const lists = Array.from({ length: width }, (_, index) => {
        const column = columns[index]
        return `${column === undefined ? 'NULL' : `json_group_array(${quoted(column)})`} AS c${index}`
      })
      return `SELECT ${lists.join(', ')} FROM (${sql})`
    })
    const { response } = await runDirectly(executor, sql, values)
    const found = response as readonly Lists[]
    const results: Record<string, unknown>[][] = []
    for (const [index, { columns }] of reads.entries()) {
      results.push(await rowsOf(found[index] ?? {}, columns))
    }
    return results
  },

  async advanceCounter(executor, table, column, id, count) {
    const { response } = await runDirectly(
      executor,
      `UPDATE ${quoted(table)} SET ${quoted(column)} = ${quoted(column)} + ? WHERE id = ?
       RETURNING ${quoted(column)} AS value`,
      [count, id],
    )
    const [row] = response as { value: number }[]
    return row?.value
  },

  async reserveIds(executor, table, nextId) {
    await executor.raw(
      'INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 WHERE ? NOT IN (SELECT name FROM sqlite_sequence)',
      [table, table],
    )
    await executor.raw('UPDATE sqlite_sequence SET seq = MAX(seq, ?) WHERE name = ?', [
      nextId - 1,
      table,
    ])
  },

  deleteSome,

  // The single writer excludes all others while its transaction is open.
  lockShared: (query) => query,
  async beginWriting(executor, table) {
    await executor(table).where(executor.raw('1 = 0')).update({ id: 0 })
  },

  lockForUpdate: (query) => query,
  lockIfFree: (query) => query,

  async requireFeatures(executor) {
    const [library] = (await executor.raw(
      `SELECT sqlite_version() AS version,
         EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'fts5') AS has_fts5`,
    )) as unknown as [{ version: string; has_fts5: number }]
    requireSqliteFeatures(library.version, library.has_fts5 === 1)
  },

  async exclusively(single, _name, work) {
    // Schema changes can be rolled back here, so one transaction is both lock and rollback.
    await single.raw('BEGIN IMMEDIATE')
    try {
      const result = await work()
      await single.raw('COMMIT')
      return result
    } catch (error) {
      await single.raw('ROLLBACK').catch(() => {
        // Some errors have already ended the transaction; the first error is reported.
      })
      throw error
    }
  },

  adapt: undefined,

  async begin(pool) {
    // Takes the write lock immediately: a transaction that reads first could not wait for it later.
    await runDirectly(pool, 'BEGIN IMMEDIATE')
    return {
      executor: pool,
      commit: async () => {
        await runDirectly(pool, 'COMMIT')
      },
      rollback: async () => {
        await runDirectly(pool, 'ROLLBACK')
      },
    }
  },

  async snapshot(pool, read) {
    // A deferred transaction keeps the snapshot of its first read until it ends.
    return pool.transaction(read)
  },
}

/**
 * For drivers whose statements block the event loop. Rows are made of the database's values at once:
 * a write that waits for a value that another call reads would otherwise hold its lock meanwhile.
 */
export const synchronousSqliteDialect: Dialect = {
  ...sqliteDialect,
  async selectRows(executor, query, columns) {
    const lists = await selectLists(executor, query, columns)
    return withoutYielding(() => rowsOf(lists, columns))
  },
  // One statement would block for as long as all of them.
  selectTogether: undefined,
}

/** A JSON list of the values of each column, in the order of the columns. */
type Lists = Readonly<Record<string, string>>

/**
 * The driver would create an object for each row, key by key, on the main thread and at once. A list
 * for each column takes half of the time of a list of rows.
 */
async function selectLists(
  executor: Knex,
  query: Knex.QueryBuilder | Knex.Raw,
  columns: readonly string[],
): Promise<Lists> {
  const lists = columns.map((_, index) => `json_group_array(??) AS c${index}`).join(', ')
  const [found] = (await executor.raw(`SELECT ${lists} FROM (?)`, [
    ...columns,
    query,
  ] as never)) as unknown as [Lists]
  return found
}

async function rowsOf(
  lists: Lists,
  columns: readonly string[],
): Promise<Record<string, unknown>[]> {
  const yielder = new EventLoopYielder()
  const values: (readonly [string, readonly unknown[]])[] = []
  for (const [index, column] of columns.entries()) {
    if (yielder.isDue) await yielder.yield()
    values.push([column, JSON.parse(lists[`c${index}`] ?? '[]') as unknown[]])
  }
  const rows: Record<string, unknown>[] = []
  const count = values[0]?.[1].length ?? 0
  while (rows.length < count) {
    if (rows.length % rowsPerCheck === 0 && yielder.isDue) await yielder.yield()
    const row: Record<string, unknown> = {}
    for (const [column, ofColumn] of values) row[column] = ofColumn[rows.length]
    rows.push(row)
  }
  return rows
}
