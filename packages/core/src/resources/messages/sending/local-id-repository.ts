import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { MessageLocalIdRow } from './message-local-ids-table.js'

@perServer()
export class LocalIdRepository {
  /** The oldest ones of those that were sent before a time. */
  async listSentBefore(
    scope: OrganizationScope,
    beforeSeconds: number,
    limit: number,
  ): Promise<string[]> {
    const rows = await scope
      .query('message_local_ids')
      .where('sent_at_seconds', '<', beforeSeconds)
      .orderBy('sent_at_seconds')
      .limit(limit)
      .select<Pick<MessageLocalIdRow, 'local_id_hash'>[]>('local_id_hash')
    return rows.map(({ local_id_hash }) => local_id_hash)
  }
}
