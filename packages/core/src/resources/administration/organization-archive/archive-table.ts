import type { TObject } from 'typebox'

import type { TableName } from '../../../storage/index.js'

/** A value of a column, in the database and in an archive. */
export type ArchivedValue = string | number | boolean | null
/** A row, by the names of its columns. */
export type ArchivedRow = Readonly<Record<string, ArchivedValue>>

/** What a column of JSON contains, beyond its syntax. */
export type JsonContents =
  /** Any JSON. */
  | 'any'
  /** JSON, or nothing. */
  | 'optional'
  /** An object whose values are ids of groups. */
  | 'group ids'

/** How the rows of a table are archived. */
export interface ArchivedTable {
  readonly name: TableName
  /** The columns, except `organization_id`. */
  readonly row: TObject
  /** The columns of the order in which rows are read. */
  readonly keys: readonly [string, ...string[]]
  /**
   * The table whose ids a column contains: the rows follow the page of the rows that they belong
   * to. Undefined for tables that are read by `id`.
   */
  readonly of?: { readonly table: TableName; readonly column: string }
  /** The tables whose ids columns contain. An import requires that the row exists. */
  readonly references: Readonly<Record<string, TableName>>
  /** Columns with JSON. */
  readonly json?: Readonly<Record<string, JsonContents>>
  /** Columns that an archive does not contain, and why. */
  readonly omitted?: Readonly<Record<string, string>>
}

/** The names of the archived columns. */
export function columnsOf({ row }: Pick<ArchivedTable, 'row'>): readonly string[] {
  return Object.keys(row.properties)
}
