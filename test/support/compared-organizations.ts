import type { Knex } from 'knex'

import {
  columnsOf,
  archivedOrganization,
  archivedTables,
} from '../../packages/core/src/resources/administration/organization-archive/archived-tables.js'
import { readTables } from './database-texts.js'
import { receivedMessages } from './received-messages.js'

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
  // Also those that are not written yet.
  const rows = new Map<string, readonly Row[]>(tables)
  rows.set('chat_user_messages', receivedMessages(tables) as readonly unknown[] as Row[])
  const rowsOf = (name: string, column = 'organization_id') =>
    (rows.get(`chat_${name}`) ?? []).filter((row) => row[column] === organizationId)
  const texts = (found: readonly Row[], columns: readonly string[]) =>
    found.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort()
  return {
    organizations: texts(rowsOf('organizations', 'id'), columnsOf(archivedOrganization)),
    ...Object.fromEntries(
      archivedTables.map((table) => [table.name, texts(rowsOf(table.name), columnsOf(table))]),
    ),
    file_chunks: texts(rowsOf('file_chunks'), ['file_key', 'position', 'bytes']),
  }
}
