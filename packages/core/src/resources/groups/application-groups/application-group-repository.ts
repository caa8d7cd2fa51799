import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import type { OrganizationScope } from '../../../storage/index.js'

/** A group whose members the application decides. */
export interface ApplicationGroup {
  readonly id: number
  readonly external_id: string
  readonly name: string
  readonly is_deactivated: boolean
}

/** Finds groups by the application's ids. */
@perServer()
export class ApplicationGroupRepository {
  /** One statement per 1,000 ids. */
  async list(
    scope: OrganizationScope,
    externalIds: readonly string[],
  ): Promise<ApplicationGroup[]> {
    const groups: ApplicationGroup[] = []
    for (const chunk of chunksOf(externalIds)) {
      const rows = await scope
        .query('user_groups')
        .whereIn('external_id', [...chunk])
        .select<ApplicationGroup[]>('id', 'external_id', 'name', 'is_deactivated')
      groups.push(...rows)
    }
    return groups
  }

  /** The memberships of users in all groups of the application. @param userIds at most 1,000. */
  async listMemberships(
    scope: OrganizationScope,
    userIds: readonly number[],
  ): Promise<{ group_id: number; user_id: number; is_deactivated: boolean }[]> {
    if (userIds.length === 0) return []
    return scope
      .queryAs('user_group_members', 'm')
      .join(scope.as('user_groups', 'g'), 'g.id', 'm.group_id')
      .whereNotNull('g.external_id')
      .whereIn('m.user_id', [...userIds])
      .orderBy('m.group_id')
      .orderBy('m.user_id')
      .select<{ group_id: number; user_id: number; is_deactivated: boolean }[]>(
        'm.group_id',
        'm.user_id',
        'g.is_deactivated',
      )
  }
}
