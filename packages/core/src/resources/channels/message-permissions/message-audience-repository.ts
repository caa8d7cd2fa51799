import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'

@perServer()
export class MessageAudienceRepository {
  /**
   * Notes that other users receive the channels' messages.
   *
   * @param audienceId the list of them; null if it must be rebuilt when it is needed.
   */
  async changeAudience(
    tx: Transaction,
    ids: readonly number[],
    audienceId: number | null,
  ): Promise<void> {
    if (ids.length === 0) return
    await tx
      .query('channels')
      .whereIn('id', [...ids])
      .update({ audience_id: audienceId })
      .increment('version')
  }

  /**
   * The ids of those channels' lists of receivers that have at least so many characters, or are
   * stored as the difference from such a list.
   */
  async longAudiences(
    tx: Transaction,
    ids: readonly number[],
    characters: number,
  ): Promise<ReadonlyMap<number, number>> {
    if (ids.length === 0) return new Map()
    const rows = await tx
      .queryAs('channels', 'c')
      .join(tx.as('event_audiences', 'a'), 'a.id', 'c.audience_id')
      .whereIn('c.id', [...ids])
      .whereRaw('(a.base_id IS NOT NULL OR LENGTH(a.user_ids) >= ?)', [characters])
      .select<{ id: number; audience_id: number }[]>('c.id', 'c.audience_id')
    return new Map(rows.map((row) => [row.id, row.audience_id]))
  }

  /** Stores the list of users who receive the messages of each of the channels, when it is built. */
  async cacheAudience(tx: Transaction, ids: readonly number[], audienceId: number): Promise<void> {
    await tx
      .query('channels')
      .whereIn('id', [...ids])
      .update({ audience_id: audienceId })
  }
}
