import type { Dialect } from './dialect.js'
import { isFileUnavailable, isUniqueViolation } from './sqlite-errors.js'

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  hasSingleWriter: true,
  rollsBackTables: true,
  orderedJoin: 'CROSS JOIN',

  isUniqueViolation,

  isRetryable: () => false,
  isAppliedAlready: () => false,
  fitNames: (sql) => sql,

  isUnavailable(error) {
    return isFileUnavailable(error) || (error as Error | undefined)?.name === 'KnexTimeoutError'
  },

  async insertRows(executor, table, rows) {
    const columns = [...new Set(rows.flatMap(Object.keys))]
    const list = (rows as readonly Record<string, unknown>[]).map((row) =>
      columns.map((column) => row[column] ?? null),
    )
    const into = executor.raw(`?? (${columns.map(() => '??').join(', ')})`, [table, ...columns])
    // Knex itself would generate a compound SELECT, which SQLite limits to 500 terms.
    const values = columns.map((_, index) => `value ->> ${index}`).join(', ')
    const ids = (await executor(into as never).insert(
      executor.raw(`SELECT ${values} FROM json_each(?) ORDER BY key`, [
        JSON.stringify(list),
      ]) as never,
    )) as number[]
    return ids[0] ?? 0
  },

  async selectRows(executor, query, columns) {
    // The driver would create an object for each row, key by key and on the main thread.
    const members = columns.map((column) => `'${column}', ??`).join(', ')
    const [row] = (await executor.raw(
      `SELECT json_group_array(json_object(${members})) AS list FROM (?)`,
      [...columns, query] as never,
    )) as unknown as [{ list: string }]
    return JSON.parse(row.list) as Record<string, unknown>[]
  },

  // The driver reports the last id, and the single writer leaves no gaps.
  firstInsertedId: (reportedId, rowCount) => reportedId - rowCount + 1,

  async advanceCounter(executor, table, column, id, count) {
    const rows = (await executor.raw(
      'UPDATE ?? SET ?? = ?? + ? WHERE id = ? RETURNING ?? AS value',
      [table, column, column, count, id, column],
    )) as unknown as { value: number }[]
    const row = rows[0]
    if (row === undefined) throw new Error(`There is no row ${id} in ${table}`)
    return row.value
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

  // The single writer excludes all others while its transaction is open.
  lockShared: (query) => query,
  async beginWriting(executor, table) {
    await executor(table).where(executor.raw('1 = 0')).update({ id: 0 })
  },

  lockForUpdate: (query) => query,

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

  async begin(pool) {
    // Takes the write lock immediately: a transaction that reads first could not wait for it later.
    await pool.raw('BEGIN IMMEDIATE')
    return {
      executor: pool,
      commit: async () => {
        await pool.raw('COMMIT')
      },
      rollback: async () => {
        await pool.raw('ROLLBACK')
      },
    }
  },

  async snapshot(pool, read) {
    // A deferred transaction keeps the snapshot of its first read until it ends.
    return pool.transaction(read)
  },
}
