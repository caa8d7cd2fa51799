import type { Knex } from 'knex'

import { quoted, runDirectly } from '../rows/direct-statement.js'
import { reserveIds } from './postgres-sequences.js'

/** Inserts any number of rows. @returns their ids, if the table has ids. */
export async function insertRows(
  executor: Knex,
  table: string,
  rows: readonly object[],
  ids: 'none' | 'first' | 'all',
): Promise<readonly number[]> {
  const { columns, json, values } = jsonRows(rows)
  const names = columns.map(quoted).join(', ')
  const ending = ids === 'none' ? '' : ' RETURNING id'
  const into = `INSERT INTO ${quoted(table)} (${names})`
  // Several rows are one value, because there may be more values than a statement may have.
  const { response } =
    rows.length === 1
      ? await runDirectly(
          executor,
          `${into} VALUES (${columns.map(() => '?').join(', ')})${ending}`,
          values[0],
        )
      : await runDirectly(
          executor,
          `${into} SELECT ${names} FROM json_populate_recordset(NULL::${quoted(table)}, ?)${ending}`,
          [json],
        )
  // A sequence does not know of ids that are given, and would assign them, or lower ones, later.
  const given = (rows as readonly { readonly id?: unknown }[]).flatMap(({ id }) =>
    typeof id === 'number' ? [id] : [],
  )
  const highest = given.reduce((one, other) => Math.max(one, other), 0)
  if (highest > 0) await reserveIds(executor, table, highest + 1)
  const { rows: inserted } = response as { readonly rows: readonly { readonly id: unknown }[] }
  return inserted.map(({ id }) => Number(id))
}

/** The columns of rows, which may each lack some, and the rows as JSON of the server. */
export function jsonRows(rows: readonly object[]): {
  readonly columns: readonly string[]
  readonly values: readonly (readonly unknown[])[]
  readonly json: string
} {
  const list = rows as readonly Record<string, unknown>[]
  const names = new Set(list.flatMap(Object.keys))
  // The database assigns an id that is missing, and would not replace a null.
  if (list.every(({ id }) => id === undefined)) names.delete('id')
  const columns = [...names]
  const values = list.map((row) => columns.map((column) => row[column] ?? null))
  const objects = values.map((list) =>
    Object.fromEntries(columns.map((column, index) => [column, inJson(list[index])])),
  )
  return { columns, values, json: JSON.stringify(objects) }
}

function inJson(value: unknown): unknown {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value
}
