import { perServer } from '../../../kernel/per-server.js'
import { parseJson, type OrganizationScope } from '../../../storage/index.js'

/** The owner of permission settings, and the group id of each setting. */
export interface HolderOfSettings {
  readonly id: number
  readonly settings: Readonly<Record<string, number>>
}

/** Finds the permission settings that use a group. */
@perServer()
export class GroupUseRepository {
  async listChannels(scope: OrganizationScope): Promise<HolderOfSettings[]> {
    const rows = await scope
      .query('channels')
      .where({ is_archived: false })
      .orderBy('id')
      .select('id', 'settings')
    return rows.map(({ id, settings }) => ({ id, settings: parseJson(settings) }))
  }

  async listGroups(scope: OrganizationScope): Promise<HolderOfSettings[]> {
    const rows = await scope
      .query('user_groups')
      .where({ is_deactivated: false })
      .whereNotNull('name')
      .orderBy('id')
      .select('id', 'settings')
    return rows.map(({ id, settings }) => ({ id, settings: parseJson(settings) }))
  }
}
