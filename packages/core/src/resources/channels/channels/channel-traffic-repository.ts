import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

@perServer()
export class ChannelTrafficRepository {
  /** The number of messages in each channel since `sinceSeconds`. */
  async countMessagesSince(
    scope: OrganizationScope,
    sinceSeconds: number,
  ): Promise<ReadonlyMap<number, number>> {
    const rows = await scope
      .query('messages')
      .where('sent_at_seconds', '>=', sinceSeconds)
      .whereNotNull('channel_id')
      .groupBy('channel_id')
      .select('channel_id')
      .count<{ channel_id: number; messages: number | string }[]>('* as messages')
    return new Map(rows.map((row) => [row.channel_id, Number(row.messages)]))
  }
}
