import type { Knex } from 'knex'

import { quoted, runDirectly } from '../rows/direct-statement.js'
import { reserveIds } from './postgres-sequences.js'
import { storable } from './postgres-statements.js'

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
  // A sequence does not know of ids that are given, and would assign them, or lower ones, later.
  const given = (rows as readonly { readonly id?: unknown }[]).flatMap(({ id }) =>
    typeof id === 'number' ? [id] : [],
  )
  const highest = given.reduce((one, other) => Math.max(one, other), 0)
  if (highest > 0) await reserveIds(executor, table, highest + 1)
  if (rows.length === 1) {
    const marks = columns.map(() => '?').join(', ')
    return idsOf(await runDirectly(executor, `${into} VALUES (${marks})${ending}`, values[0]))
  }
  // Several rows are one value, because there may be more values than a statement may have.
  const isMixed = given.length > 0 && given.length < rows.length
  const next = `COALESCE(id, nextval(pg_get_serial_sequence(quote_ident(?), 'id')))`
  const selected = columns.map((column) => (isMixed && column === 'id' ? next : quoted(column)))
  const list = `SELECT ${selected.join(', ')} FROM json_populate_recordset(NULL::${quoted(table)}, ?)`
  const bindings = isMixed ? [table, json] : [json]
  return idsOf(await runDirectly(executor, `${into} ${list}${ending}`, bindings))
}

function idsOf({ response }: { readonly response?: unknown }): number[] {
  const { rows } = response as { readonly rows: readonly { readonly id: unknown }[] }
  return rows.map(({ id }) => Number(id))
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
  if (list.every(({ id }) => id === undefined || id === null)) names.delete('id')
  const columns = [...names]
  const values = list.map((row) => columns.map((column) => row[column] ?? null))
  const objects = values.map((list) =>
    Object.fromEntries(columns.map((column, index) => [column, inJson(list[index])])),
  )
  return { columns, values, json: JSON.stringify(objects) }
}

function inJson(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return storable(value)
}
