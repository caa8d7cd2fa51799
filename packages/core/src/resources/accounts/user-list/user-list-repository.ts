import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

@perServer()
export class UserListRepository {
  /** The id of the newest message that the user has received, or null. */
  async newestMessageId(scope: OrganizationScope, userId: number): Promise<number | null> {
    const row = await scope
      .query('user_messages')
      .where({ user_id: userId })
      .orderBy('message_id', 'desc')
      .first<{ message_id: number } | undefined>('message_id')
    return row?.message_id ?? null
  }
}
