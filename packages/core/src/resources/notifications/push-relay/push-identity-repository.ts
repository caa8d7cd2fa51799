import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { PushIdentityRow } from './push-identities-table.js'

@perServer()
export class PushIdentityRepository {
  /** The existing UUIDs of these users, by user id. */
  async find(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<ReadonlyMap<number, string>> {
    const rows = await scope
      .query('push_identities')
      .whereIn('user_id', [...userIds])
      .select<PushIdentityRow[]>('user_id', 'uuid')
    return new Map(rows.map((row) => [row.user_id, row.uuid]))
  }
}
