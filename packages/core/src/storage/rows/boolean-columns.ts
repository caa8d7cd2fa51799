import type { Knex } from 'knex'

import type { Tables } from './tables.js'

/** The columns of a row whose values are booleans, or null. */
type BooleanKeys<Row> = {
  [Key in keyof Row & string]-?: [Extract<Row[Key], boolean>] extends [never] ? never : Key
}[keyof Row & string]

type BooleanColumn = { [Name in keyof Tables]: BooleanKeys<Tables[Name]> }[keyof Tables]

/**
 * Every column of a table that holds booleans, which databases return as 0 and 1. A column with one
 * of these names is a boolean in every table, so that rows of joins need no list of their own. The
 * type demands exactly the columns that the row types declare; a test compares the list with the
 * schema of both databases.
 */
const columns: { readonly [Column in BooleanColumn]: true } = {
  allow_subdomains: true,
  audible_notifications: true,
  can_change_user_emails: true,
  can_create_users: true,
  default_all_public_channels: true,
  desktop_notifications: true,
  email_notifications: true,
  is_active: true,
  is_animated: true,
  is_archived: true,
  is_bot: true,
  is_cleared: true,
  is_deactivated: true,
  is_default: true,
  is_editable_by_user: true,
  is_history_shared: true,
  is_in_summary: true,
  is_muted: true,
  is_pinned: true,
  is_private: true,
  is_recently_active: true,
  is_required: true,
  is_reusable: true,
  is_system_group: true,
  is_user_active: true,
  is_web_public: true,
  joins_default_channels: true,
  notifies_inviter: true,
  pin_to_top: true,
  push_notifications: true,
  read_by_sender: true,
  takes_messages: true,
  wildcard_mentions_notify: true,
}

export const booleanColumns: ReadonlySet<string> = new Set(Object.keys(columns))

/**
 * Turns the 0 and 1 of boolean columns into booleans. The rows are changed in place: they belong to
 * the caller alone, and copies of thousands of rows would cost more than reading them.
 *
 * @param result what a driver returned: rows, one row, or anything without columns.
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
