import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'

/** Whose permission settings they are, and the group that each names. */
export interface HolderOfSettings {
  readonly id: number
  readonly settings: Readonly<Record<string, number>>
}

/** Where permission settings name groups. */
@perServer()
export class GroupUseRepository {
  async listChannels(scope: OrganizationScope): Promise<HolderOfSettings[]> {
    const rows = await scope
      .query('channels')
      .where({ is_archived: false })
      .orderBy('id')
      .select<{ id: number; settings: string }[]>('id', 'settings')
    return rows.map(parsed)
  }

  async listGroups(scope: OrganizationScope): Promise<HolderOfSettings[]> {
    const rows = await scope
      .query('user_groups')
      .where({ is_deactivated: false })
      .whereNotNull('name')
      .orderBy('id')
      .select<{ id: number; settings: string }[]>('id', 'settings')
    return rows.map(parsed)
  }
}

function parsed({ id, settings }: { id: number; settings: string }): HolderOfSettings {
  return { id, settings: JSON.parse(settings) as Record<string, number> }
}
