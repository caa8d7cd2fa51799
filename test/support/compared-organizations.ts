import type { Knex } from 'knex'

import { columnsOf } from '../../packages/core/src/resources/administration/organization-archive/archive-table.js'
import {
  archivedOrganization,
  archivedTables,
} from '../../packages/core/src/resources/administration/organization-archive/archived-tables.js'
import { readTables } from './database-texts.js'

type Row = Readonly<Record<string, unknown>>

/**
 * The archived columns of the rows of an organization, by table, in a fixed order, and the bytes of
 * its files in the database.
 */
export async function comparedRows(
  config: Knex.Config,
  organizationId: number,
): Promise<Record<string, readonly string[]>> {
  const tables = await readTables(config)
  const rowsOf = (name: string, column = 'organization_id') =>
    (tables.get(`chat_${name}`) ?? []).filter((row) => row[column] === organizationId)
  const texts = (rows: readonly Row[], columns: readonly string[]) =>
    rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort()
  return {
    organizations: texts(rowsOf('organizations', 'id'), columnsOf(archivedOrganization)),
    ...Object.fromEntries(
      archivedTables.map((table) => [table.name, texts(rowsOf(table.name), columnsOf(table))]),
    ),
    file_chunks: texts(rowsOf('file_chunks'), ['file_key', 'position', 'bytes']),
  }
}
