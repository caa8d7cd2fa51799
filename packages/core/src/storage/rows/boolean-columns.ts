import type { Knex } from 'knex'

import { booleanColumns } from '../tables/table.js'

/**
 * Turns the 0 and 1 of boolean columns into booleans. The rows are changed in place: they belong to
 * the caller alone, and copies of thousands of rows would cost more than reading them.
 *
 * @param result the result of a driver: rows, one row, or anything without columns.
 * @param computed further columns of the statement that hold booleans.
 */
export function toBooleans(result: unknown, computed: readonly string[] = []): void {
  const rows: readonly unknown[] = Array.isArray(result) ? result : [result]
  const first = rows[0]
  if (!isRow(first)) return
  // All rows of a statement have the same columns.
  const selected = Object.keys(first).filter(
    (column) => booleanColumns.has(column) || computed.includes(column),
  )
  if (selected.length === 0) return
  for (const row of rows) {
    if (isRow(row)) convert(row, selected)
  }
}

function convert(row: Record<string, unknown>, selected: readonly string[]): void {
  for (const column of selected) {
    const value = row[column]
    if (typeof value === 'number') row[column] = value !== 0
  }
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The same query, whose rows will have booleans in boolean columns. */
export function withBooleans<Query extends Knex.QueryBuilder>(
  query: Query,
  computed?: readonly string[],
): Query {
  void query.on('query-response', (result: unknown) => toBooleans(result, computed))
  return query
}
