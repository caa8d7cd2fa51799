import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

@perServer()
export class MuterRepository {
  /** The pairs of muting and muted users, for some muting users or all. */
  async list(
    scope: OrganizationScope,
    userIds?: readonly number[],
  ): Promise<{ user_id: number; muted_user_id: number }[]> {
    const query = scope.query('muted_users').select('user_id', 'muted_user_id')
    return userIds === undefined ? query : query.whereIn('user_id', [...userIds])
  }
}
