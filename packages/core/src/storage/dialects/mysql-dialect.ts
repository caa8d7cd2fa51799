import type { Knex } from 'knex'

import type { MysqlConnection } from '../connections/mysql-pools.js'
import { EventLoopYielder } from '../../kernel/event-loop-yielder.js'
import { isPoolExhausted } from '../connections/pools.js'
import { quoted, runDirectly } from '../rows/direct-statement.js'
import { united } from '../rows/read-batch.js'
import { driverCode, type Dialect } from './dialect.js'
import { fitName } from './fitting-names.js'
import { beginTransaction } from './knex-transaction.js'
import {
  appliedAlready,
  interrupted,
  locked,
  nodeNotReady,
  retryable,
  rolledBack,
  unavailableCodes,
  unusableReasons,
} from './mysql-errors.js'
import { mysqlExecutor } from './mysql-executor.js'
import { insertValues } from './mysql-insert.js'

type Row = Record<string, unknown>

const duplicateEntry = 1062
const lockWaitSeconds = 60
const maxNameLength = 64
/** Looking at the clock takes longer than a row. */
const rowsPerCheck = 200
/** Cannot be the name of a migration. */
const probeName = '@probe'

/** MySQL 8.0 and later, and MariaDB 10.11 and later. */
export const mysqlDialect: Dialect = {
  name: 'mysql',
  executors: mysqlExecutor,
  hasSingleWriter: false,
  rollsBackTables: false,
  hasFullTextTables: false,
  orderedJoin: (kind, table, alias, condition) =>
    `${kind === 'INNER' ? 'STRAIGHT_JOIN' : 'LEFT JOIN'} ${table} ${alias} ON ${condition}`,
  forUpdate: ' FOR UPDATE',
  sql: {
    integer: (value) => `CAST(${value} AS SIGNED)`,
    concatenated: (first, second) => `CONCAT(${first}, ${second})`,
    equalWithoutIndex: (column, value) => `${column} + 0 = ${value}`,
    contains: (text) => `INSTR(${text}, ?) > 0`,
    jsonNumber: (text, ...path) => `JSON_EXTRACT(${text}, '$.${path.join('.')}')`,
    onConflict: () => 'ON DUPLICATE KEY UPDATE',
  },
  tables: {
    collation: '',
    ending: ' ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    clustered: ' ENGINE=InnoDB',
    generated: 'VIRTUAL',
    hasPartialIndexes: false,
    typeOf: (_name, { kind }) => (kind === 'bytes' ? 'mediumblob' : undefined),
  },
  // mysql2 returns the rows and their columns.
  rowsOf: (response) => (response as [readonly unknown[]])[0],

  async clockSeconds(executor) {
    const [row] = this.rowsOf(await executor.raw('SELECT UNIX_TIMESTAMP() AS seconds')) as Row[]
    return Number(row?.['seconds'])
  },

  isUniqueViolation: (error) => driverCode(error).errno === duplicateEntry,

  isRetryable,

  isLocked: (error) => locked.has(driverCode(error).errno),
  unusableReasonOf: (error) => unusableReasons[driverCode(error).errno],
  isInterrupted: (error) => interrupted.has(driverCode(error).errno),

  async probeWrite(trx, table) {
    await trx(table).insert({ name: probeName })
    return 'rollback'
  },

  isUnavailable(error) {
    return (
      isRetryable(error) ||
      unavailableCodes.has(driverCode(error).code) ||
      interrupted.has(driverCode(error).errno) ||
      isPoolExhausted(error) ||
      isClosed(error)
    )
  },

  isAnswerLost: isNodeLost,

  isAppliedAlready: (error) => appliedAlready.has(driverCode(error).errno),

  fitNames: (sql) =>
    sql.replaceAll(/`([^`]+)`/g, (_, name: string) => `\`${fitName(name, maxNameLength)}\``),

  async insertRows(executor, table, rows, ids) {
    const first = await insertValues(executor, table, rows)
    if (ids !== 'all' || rows.length === 1) return [first]
    // The ids of one statement may have gaps in a database cluster.
    const [row] = rows as readonly { readonly organization_id: number }[]
    const stored = await executor(table)
      .where('organization_id', row?.organization_id ?? 0)
      .where('id', '>=', first)
      .orderBy('id')
      .limit(rows.length)
      .select<{ id: number }[]>('id')
    return stored.map(({ id }) => id)
  },

  insertIfAbsent: (executor, table, _key, row) =>
    insertValues(executor, table, [row], 'ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)'),

  async upsertRows(executor, table, key, rows) {
    const columns = Object.keys(rows[0] ?? {}).filter((column) => !key.includes(column))
    const changes = columns.map((column) => `${quoted(column)} = VALUES(${quoted(column)})`)
    await insertValues(executor, table, rows, `ON DUPLICATE KEY UPDATE ${changes.join(', ')}`)
  },

  async selectRows(_executor, query) {
    // A raw statement returns its columns, too.
    const result = (await query) as Row[] | readonly [Row[], unknown]
    return isPair(result) ? result[0] : result
  },

  async selectTogether(executor, reads) {
    const { sql, values } = united(reads, ({ sql, columns }, index) => {
      const json = `JSON_ARRAY(${columns.map(quoted).join(', ')})`
      // The parts of a union must not differ in the collation.
      return `SELECT ${index} AS part, CONVERT(${json} USING utf8mb4) AS json
        FROM (${inOrder(sql)}) q${index}`
    })
    const { response } = await runDirectly(executor, sql, values)
    const [found] = response as readonly [readonly { part: number; json: string }[]]
    const results = reads.map((): Row[] => [])
    const yielder = new EventLoopYielder()
    for (const [index, { part, json }] of found.entries()) {
      if (index % rowsPerCheck === 0 && yielder.isDue) await yielder.yield()
      const row = JSON.parse(json) as readonly unknown[]
      const columns = reads[part]?.columns ?? []
      results[part]?.push(Object.fromEntries(columns.map((name, column) => [name, row[column]])))
    }
    return results
  },

  insertedRows: ({ response }) => (response as [{ affectedRows: number }])[0].affectedRows,

  async advanceCounter(executor, table, column, id, count) {
    // LAST_INSERT_ID(expression) returns the new value with the result of the update.
    const { response } = await runDirectly(
      executor,
      `UPDATE ${quoted(table)} SET ${quoted(column)} = LAST_INSERT_ID(${quoted(column)} + ?)
       WHERE id = ?`,
      [count, id],
    )
    const [result] = response as [{ insertId: number; affectedRows: number }]
    return result.affectedRows === 0 ? undefined : result.insertId
  },

  async reserveIds(executor, table, nextId) {
    if (nextId <= 1) return
    // ALTER TABLE would commit. Inserting a row advances the counter, even if it is deleted again;
    // IGNORE fills its columns with the implicit defaults of their types.
    const id = nextId - 1
    await executor.raw('INSERT IGNORE INTO ?? (id) VALUES (?)', [table, id])
    await executor.raw('DELETE FROM ?? WHERE id = ? AND organization_id = 0', [table, id])
  },

  async deleteSome(executor, table, _keys, { sql, values }, limit) {
    return executor(table)
      .whereRaw(sql, [...values] as never)
      .limit(limit)
      .delete()
  },

  lockShared: (query) => query.forShare() as typeof query,
  async beginWriting() {},

  lockForUpdate: (query) => query.forUpdate() as typeof query,
  lockIfFree: (query) => query.forUpdate().skipLocked() as typeof query,
  async requireFeatures() {},

  async exclusively(single, name, work) {
    // Bound to the connection, so it is released when the process dies. Lock names are global to
    // the server, and at most 64 characters long.
    const lock = "SHA2(CONCAT(DATABASE(), '.', ?), 224)"
    for (let got: number | null = 0; got !== 1;) {
      const [rows] = (await single.raw(`SELECT GET_LOCK(${lock}, ?) AS got`, [
        name,
        lockWaitSeconds,
      ])) as unknown as [{ got: number | null }[]]
      got = rows[0]?.got ?? null
      if (got === null) throw new Error('The lock of migrations cannot be acquired')
    }
    try {
      return await work()
    } finally {
      await single.raw(`SELECT RELEASE_LOCK(${lock})`, [name])
    }
  },

  adapt: undefined,

  begin: (pool, isolate) =>
    beginTransaction(
      pool,
      isolate ? { isolationLevel: 'read committed' } : {},
      (connection: MysqlConnection, error) => {
        // The transaction may still be open, and the next BEGIN on the connection would commit it.
        if (!isRolledBack(error)) connection.destroy()
      },
    ),

  async snapshot(pool, read) {
    // The snapshot is taken at the first read. Knex generates READ ONLY in a form that MariaDB
    // rejects.
    return pool.transaction((trx: Knex.Transaction) => read(trx), {
      isolationLevel: 'repeatable read',
    })
  },
}

/** Whether an error means that a node of a cluster does not serve, or that the connection is lost. */
export function isNodeLost(error: unknown): boolean {
  const { code, errno } = driverCode(error)
  return errno === nodeNotReady || unavailableCodes.has(code) || isClosed(error)
}

function isClosed(error: unknown): boolean {
  return String((error as Error | undefined)?.message).includes('connection is in closed state')
}

function isRolledBack(error: unknown): boolean {
  return rolledBack.has(driverCode(error).errno)
}

function isRetryable(error: unknown): boolean {
  return retryable.has(driverCode(error).errno)
}

/** Keeps the order of a query that becomes a part of another one, where it is ignored otherwise. */
function inOrder(sql: string): string {
  const isOrdered = /\border by\b/i.test(sql) && !/\blimit\s+\S+(\s+offset\s+\S+)?\s*$/i.test(sql)
  return isOrdered ? `${sql} LIMIT 18446744073709551615` : sql
}

function isPair(result: Row[] | readonly [Row[], unknown]): result is readonly [Row[], unknown] {
  return Array.isArray(result[0])
}
