import { foldCase } from '../../../domain/texts/folding.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { channelFolders, type ChannelFolderRow } from './channel-folders-table.js'

type NewChannelFolder = Omit<ChannelFolderRow, 'id' | 'organization_id' | 'name_key' | 'position'>

@perServer()
export class ChannelFolderRepository {
  /** The bytes of the descriptions of all folders, as text and as HTML. */
  async descriptionBytes(scope: OrganizationScope): Promise<number> {
    return (await scope.rows(channelFolders).size({}, ['description', 'rendered_description']))
      .bytes
  }

  /** Like {@link list}, and locks the folders against concurrent changes until `tx` ends. */
  async lock(tx: Transaction): Promise<ChannelFolderRow[]> {
    const query = tx.query('channel_folders').orderBy('position').orderBy('id').select('*')
    return await tx.dialect.lockForUpdate(query)
  }

  /** Whether the folder exists. Takes a shared lock on it until `tx` ends. */
  async lockShared(tx: Transaction, id: number): Promise<boolean> {
    const query = tx.query('channel_folders').where({ id }).select('id')
    return (await tx.dialect.lockShared(query)).length > 0
  }

  /** Adds a folder after those that were created before it. */
  async insert(tx: Transaction, row: NewChannelFolder): Promise<ChannelFolderRow> {
    const whole = { ...row, name_key: foldCase(row.name), position: 0 }
    const id = await tx.rows(channelFolders).insert(whole)
    await tx.query('channel_folders').where({ id }).update({ position: id })
    return { ...whole, id, organization_id: tx.organizationId, position: id }
  }

  async update(tx: Transaction, id: number, changes: Partial<NewChannelFolder>): Promise<void> {
    const { name } = changes
    const derived = name === undefined ? {} : { name_key: foldCase(name) }
    await tx
      .query('channel_folders')
      .where({ id })
      .update({ ...changes, ...derived })
  }

  /** Whether the folder contains a channel, including archived ones. */
  async isUsed(scope: OrganizationScope, id: number): Promise<boolean> {
    const channel = await scope
      .query('channels')
      .where({ folder_id: id })
      .first<{ id: number } | undefined>('id')
    return channel !== undefined
  }
}
