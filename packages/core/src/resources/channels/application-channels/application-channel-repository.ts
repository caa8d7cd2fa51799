import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { ChannelRow } from '../channels/index.js'

/** Finds channels by the application's ids. */
@perServer()
export class ApplicationChannelRepository {
  async find(scope: OrganizationScope, externalId: string): Promise<ChannelRow | undefined> {
    return scope
      .query('channels')
      .where({ external_id: externalId })
      .first<ChannelRow | undefined>()
  }

  /** The ids of those channels that exist. @param externalIds at most 1,000. */
  async listIds(scope: OrganizationScope, externalIds: readonly string[]): Promise<number[]> {
    if (externalIds.length === 0) return []
    const query = scope.query('channels').whereIn('external_id', [...externalIds])
    const rows = await scope.listRows<Pick<ChannelRow, 'id'>>(query, ['id'])
    return rows.map(({ id }) => id)
  }

  /** The channel, locked against changes until the transaction ends. */
  async lock(tx: Transaction, externalId: string): Promise<ChannelRow | undefined> {
    const query = tx.query('channels').where({ external_id: externalId })
    return tx.dialect.lockForUpdate(query).first<ChannelRow | undefined>()
  }

  async setExternalId(tx: Transaction, id: number, externalId: string): Promise<void> {
    const channel = tx.query('channels').where({ id })
    await channel.update({ external_id: externalId }).increment('version')
  }
}
