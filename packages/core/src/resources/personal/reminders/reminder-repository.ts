import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

@perServer()
export class ReminderRepository {
  /** All participants of direct conversations, ascending, by conversation. */
  async listParticipantIds(
    scope: OrganizationScope,
    recipientIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await scope
      .query('recipient_members')
      .whereIn('recipient_id', [...recipientIds])
      .orderBy('user_id')
      .select<{ recipient_id: number; user_id: number }[]>('recipient_id', 'user_id')
    const participants = new Map<number, number[]>()
    for (const { recipient_id, user_id } of rows) addTo(participants, recipient_id, user_id)
    return participants
  }
}
