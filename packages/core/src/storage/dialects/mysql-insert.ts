import type { Knex } from 'knex'

import { quoted, runDirectly } from '../rows/direct-statement.js'

/**
 * Inserts any number of rows with one statement.
 *
 * @param ending the clause after the values.
 * @returns the id of the first row.
 */
export async function insertValues(
  executor: Knex,
  table: string,
  rows: readonly object[],
  ending = '',
): Promise<number> {
  const columns = [...new Set(rows.flatMap(Object.keys))]
  const list = (rows as readonly Record<string, unknown>[]).map((row) =>
    columns.map((column) => row[column] ?? null),
  )
  // The driver writes a list of lists as the rows of VALUES.
  const { response } = await runDirectly(
    executor,
    `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES ? ${ending}`,
    [list],
  )
  return (response as [{ insertId: number }])[0].insertId
}
