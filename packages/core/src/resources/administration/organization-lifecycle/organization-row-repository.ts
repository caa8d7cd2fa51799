import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope, TableName, Transaction } from '../../../storage/index.js'
import type { Table } from '../../../storage/tables/table.js'
import { tables } from '../../tables.js'

/** By which column the rows of an organization are found, so that an index is used. */
type OwningColumn = 'message_id' | 'user_id' | 'organization_id'

interface OrganizationTable {
  readonly name: TableName
  readonly by: OwningColumn
  /** The columns of the primary key. */
  readonly keys: readonly [string, ...string[]]
}

/** Every table with rows of organizations, except those that `SearchIndex` empties. */
const organizationTables: readonly OrganizationTable[] = tables.flatMap((table) =>
  organizationTable(table.name, table),
)

function organizationTable(name: TableName, table: Table): OrganizationTable[] {
  if (table.isOfSearchIndex === true || table.columns['organization_id'] === undefined) return []
  const { primary, unique = [], index = [] } = table
  const indexes = [...unique, ...index].map((one) => ('columns' in one ? one.columns : one))
  const first = new Set([primary, ...indexes].map(([column]) => column))
  const by = (['organization_id', 'user_id', 'message_id'] as const).find((one) => first.has(one))
  return [{ name, by: by ?? 'organization_id', keys: primary }]
}

/** A file of an organization that a row refers to. */
export interface AttachedFile {
  readonly id: number
  readonly organization_id: number
  readonly folder: string
  readonly image_width: number | null
}

/** Rows that other rows are found by, and the log, by which other processes follow the deletion. */
const deletedLast: ReadonlySet<TableName> = new Set(['messages', 'users', 'events'])

/** Finds and deletes the rows of an organization in all tables. */
@perServer()
export class OrganizationRowRepository {
  /** The tables whose rows are found by a column, except those that are deleted last. */
  tablesBy(column: OwningColumn): TableName[] {
    return organizationTables
      .filter(({ name, by }) => by === column && !deletedLast.has(name))
      .map(({ name }) => name)
  }

  /** The lowest ids of messages or users. */
  async listIds(
    scope: OrganizationScope,
    table: 'messages' | 'users',
    limit: number,
  ): Promise<number[]> {
    const query = scope.query(table).orderBy('id').limit(limit)
    const rows = await query.select<{ id: number }[]>('id')
    return rows.map(({ id }) => id)
  }

  /**
   * Deletes up to `limit` rows of a table.
   *
   * @param ids of messages or users, if the rows of the table are found by these.
   * @returns whether there are more.
   */
  async deleteSome(
    tx: Transaction,
    name: TableName,
    ids: readonly number[],
    limit: number,
  ): Promise<boolean> {
    const { by, keys } = present(
      organizationTables.find((table) => table.name === name),
      name,
    )
    const owners = by === 'organization_id' ? [tx.organizationId] : ids
    const condition = {
      sql: `?? IN (${owners.map(() => '?').join(',')})`,
      values: [by, ...owners],
    }
    const table = tx.table(name)
    await tx.dialect.deleteSome(tx.executor, table, keys, condition, limit)
    const rest = await tx.query(name).whereRaw(condition.sql, condition.values).first(keys[0])
    return rest !== undefined
  }

  async deleteByIds(
    tx: Transaction,
    table: 'messages' | 'users' | 'attachments',
    ids: readonly number[],
  ): Promise<void> {
    await tx
      .query(table)
      .whereIn('id', [...ids])
      .delete()
  }

  /** Deletes all entries of the log but the newest `kept`, up to `limit`. */
  async deleteOldEvents(tx: Transaction, kept: number, limit: number): Promise<boolean> {
    const seqs = tx.query('events').orderBy('seq')
    const oldest = await seqs.clone().first<{ seq: number } | undefined>('seq')
    const newest = await tx
      .query('events')
      .orderBy('seq', 'desc')
      .first<{ seq: number } | undefined>('seq')
    if (oldest === undefined || newest === undefined) return false
    const end = Math.min(oldest.seq + limit, newest.seq - kept + 1)
    if (end <= oldest.seq) return false
    await tx.query('events').where('seq', '<', end).delete()
    return true
  }

  async listAttachments(scope: OrganizationScope, limit: number): Promise<AttachedFile[]> {
    return scope
      .query('attachments')
      .orderBy('id')
      .limit(limit)
      .select<AttachedFile[]>('id', 'organization_id', 'folder', 'image_width')
  }

  async listEmojiTokens(scope: OrganizationScope): Promise<string[]> {
    const rows = await scope.query('custom_emoji').select<{ image_token: string }[]>('image_token')
    return rows.map(({ image_token }) => image_token)
  }

  /** The files of complete data exports. */
  async listExportFiles(scope: OrganizationScope): Promise<string[]> {
    const rows = await scope
      .query('data_exports')
      .whereNotNull('file_key')
      .select<{ file_key: string }[]>('file_key')
    return rows.map(({ file_key }) => file_key)
  }

  async listUnkeptFiles(scope: OrganizationScope, limit: number): Promise<string[]> {
    const rows = await scope
      .query('unkept_files')
      .limit(limit)
      .select<{ file_key: string }[]>('file_key')
    return rows.map(({ file_key }) => file_key)
  }
}
