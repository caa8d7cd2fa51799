import { perServer } from '../../../kernel/per-server.js'
import { parseJson, type OrganizationScope } from '../../../storage/index.js'

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
    const rows = await scope.query('channels').orderBy('id').select('id', 'settings')
    return rows.map(({ id, settings }) => ({ id, settings: parseJson(settings) }))
  }

  /** Every named group, including deactivated ones, ascending. */
  async listGroups(
    scope: OrganizationScope,
  ): Promise<(SettingHolder & { readonly isDeactivated: boolean })[]> {
    const rows = await scope
      .query('user_groups')
      .whereNotNull('name')
      .orderBy('id')
      .select('id', 'settings', 'is_deactivated')
    return rows.map(({ id, settings, is_deactivated }) => ({
      id,
      settings: parseJson(settings),
      isDeactivated: is_deactivated,
    }))
  }
}
