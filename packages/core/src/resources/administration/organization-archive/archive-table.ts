import type { TObject } from 'typebox'

import type { TableName } from '../../../storage/index.js'
import type { JsonContents } from '../../../storage/tables/column.js'

/** A value of a column, in the database and in an archive. */
export type ArchivedValue = string | number | boolean | null
/** A row, by the names of its columns. */
export type ArchivedRow = Readonly<Record<string, ArchivedValue>>

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
  readonly of: { readonly table: string; readonly column: string } | undefined
  /** The tables whose ids columns contain. An import requires that the row exists. */
  readonly references: Readonly<Record<string, string>>
  /** Columns with JSON. */
  readonly json: Readonly<Record<string, JsonContents>>
}

/** The names of the archived columns. */
export function columnsOf({ row }: Pick<ArchivedTable, 'row'>): readonly string[] {
  return Object.keys(row.properties)
}
