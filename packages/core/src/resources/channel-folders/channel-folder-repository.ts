import { foldCase } from '../../domain/folding.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../storage/index.js'

declare module '../../storage/tables.js' {
  interface Tables {
    channel_folders: ChannelFolderRow
  }
}

export interface ChannelFolderRow {
  id: number
  organization_id: number
  name: string
  /** Follows from `name`; kept by the repository. */
  name_key: string
  description: string
  /** HTML. */
  rendered_description: string
  /** Ascending in the order in which folders are shown. */
  position: number
  creator_id: number | null
  created_at_seconds: number
  is_archived: boolean | number
}

type NewChannelFolder = Omit<ChannelFolderRow, 'id' | 'organization_id' | 'name_key' | 'position'>

@perServer()
export class ChannelFolderRepository {
  /** In the order in which they are shown, archived ones too. */
  async list(scope: OrganizationScope): Promise<ChannelFolderRow[]> {
    return scope.query('channel_folders').orderBy('position').orderBy('id').select('*')
  }

  /** The same, keeping others from changing the folders until `tx` ends. */
  async lock(tx: Transaction): Promise<ChannelFolderRow[]> {
    const query = tx.query('channel_folders').orderBy('position').orderBy('id').select('*')
    return (await tx.dialect.lockForUpdate(query)) as ChannelFolderRow[]
  }

  /** Whether there is such a folder; it stays as it is until `tx` ends. */
  async lockShared(tx: Transaction, id: number): Promise<boolean> {
    const query = tx.query('channel_folders').where({ id }).select('id')
    return ((await tx.dialect.lockShared(query)) as unknown[]).length > 0
  }

  /** Adds a folder after those that were made before it. */
  async insert(tx: Transaction, row: NewChannelFolder): Promise<ChannelFolderRow> {
    const whole = { ...row, name_key: foldCase(row.name), position: 0 }
    const id = await tx.insert('channel_folders', whole)
    await tx
      .query('channel_folders')
      .where({ id })
      .update({ position: id } as never)
    return { ...whole, id, organization_id: tx.organizationId, position: id }
  }

  /** Stores folders that have their ids, in the order in which they are shown. */
  async insertMany(
    tx: Transaction,
    rows: readonly (NewChannelFolder & { readonly id: number; readonly position: number })[],
  ): Promise<void> {
    await tx.insert(
      'channel_folders',
      rows.map((row) => ({ ...row, name_key: foldCase(row.name) })),
    )
  }

  async update(tx: Transaction, id: number, changes: Partial<NewChannelFolder>): Promise<void> {
    const { name } = changes
    const derived = name === undefined ? {} : { name_key: foldCase(name) }
    await tx
      .query('channel_folders')
      .where({ id })
      .update({ ...changes, ...derived } as never)
  }

  /** Whether a channel is in the folder, archived ones too. */
  async isUsed(scope: OrganizationScope, id: number): Promise<boolean> {
    const channel = await scope
      .query('channels')
      .where({ folder_id: id })
      .first<{ id: number } | undefined>('id')
    return channel !== undefined
  }

  /** Gives each folder its place in `ids`, in one statement. */
  async reorder(tx: Transaction, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const places = ids.map(() => 'WHEN ? THEN ?').join(' ')
    const bindings = ids.flatMap((id, index) => [id, index])
    await tx.raw(`UPDATE ?? SET position = CASE id ${places} END WHERE organization_id = ?`, [
      tx.table('channel_folders'),
      ...bindings,
      tx.organizationId,
    ])
  }
}
