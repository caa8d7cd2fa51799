import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

/** The owner of permission settings, and the group id of each setting. */
export interface SettingHolder {
  readonly id: number
  readonly settings: Readonly<Record<string, number>>
}

/** Reads all permission settings of channels and groups. */
@perServer()
export class SettingHolderRepository {
  /** Every channel, including archived ones, ascending. */
  async listChannels(scope: OrganizationScope): Promise<SettingHolder[]> {
    const rows = await scope
      .query('channels')
      .orderBy('id')
      .select<{ id: number; settings: string }[]>('id', 'settings')
    return rows.map(({ id, settings }) => ({ id, settings: parsed(settings) }))
  }

  /** Every named group, including deactivated ones, ascending. */
  async listGroups(
    scope: OrganizationScope,
  ): Promise<(SettingHolder & { readonly isDeactivated: boolean })[]> {
    const rows = await scope
      .query('user_groups')
      .whereNotNull('name')
      .orderBy('id')
      .select<{ id: number; settings: string; is_deactivated: boolean }[]>(
        'id',
        'settings',
        'is_deactivated',
      )
    return rows.map(({ id, settings, is_deactivated }) => ({
      id,
      settings: parsed(settings),
      isDeactivated: is_deactivated,
    }))
  }
}

function parsed(settings: string): Record<string, number> {
  return JSON.parse(settings) as Record<string, number>
}
