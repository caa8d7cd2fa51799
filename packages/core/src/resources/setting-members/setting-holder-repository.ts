import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'

/** Whose permission settings they are, and the group that each names. */
export interface SettingHolder {
  readonly id: number
  readonly settings: Readonly<Record<string, number>>
}

/** Reads the permission settings of everything that has some. */
@perServer()
export class SettingHolderRepository {
  /** Every channel, archived ones too, ascending. */
  async listChannels(scope: OrganizationScope): Promise<SettingHolder[]> {
    const rows = await scope
      .query('channels')
      .orderBy('id')
      .select<{ id: number; settings: string }[]>('id', 'settings')
    return rows.map(({ id, settings }) => ({ id, settings: parsed(settings) }))
  }

  /** Every named group, deactivated ones too, ascending. */
  async listGroups(
    scope: OrganizationScope,
  ): Promise<(SettingHolder & { readonly isDeactivated: boolean })[]> {
    const rows = await scope
      .query('user_groups')
      .whereNotNull('name')
      .orderBy('id')
      .select<{ id: number; settings: string; is_deactivated: boolean | number }[]>(
        'id',
        'settings',
        'is_deactivated',
      )
    return rows.map(({ id, settings, is_deactivated }) => ({
      id,
      settings: parsed(settings),
      isDeactivated: Boolean(is_deactivated),
    }))
  }
}

function parsed(settings: string): Record<string, number> {
  return JSON.parse(settings) as Record<string, number>
}
