import { inject } from 'tsyringe'

import { changesBetween } from '../../../domain/organizations/audit-actions.js'
import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { parseJson, toJson, UnitOfWork } from '../../../storage/index.js'
import {
  ActiveUsers,
  organizationChanged,
  OrganizationRepository,
} from '../../organization/organizations/index.js'
import { changedSettings, type SettingChanges } from './setting-parameters.js'
import { requireSettings } from './setting-rules.js'
import { newcomerSettingChanged } from './user-settings-events.js'

/** Changes the default settings of future users. */
@perServer()
export class NewcomerSettingsService {
  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Applies all changes in one transaction; existing users are not affected.
   *
   * @throws {ChatError} `BAD_REQUEST` if a value is invalid.
   */
  async update(actor: Actor, newDefaults: SettingChanges): Promise<void> {
    const settings = requireSettings(newDefaults)
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { user_defaults } = await this.organizations.lockCurrent(tx)
      const before = parseUserSettings(user_defaults)
      const changed = changedSettings(before, settings)
      const changes = Object.entries(changed)
      if (changes.length === 0) return
      await this.organizations.update(tx, {
        user_defaults: toJson({ ...parseJson(user_defaults), ...changed }),
      })
      tx.audit({
        action: 'organization.user_defaults_changed',
        changes: changesBetween(before, changed),
      })
      const audience = { audienceId: await this.activeUsers.audience(tx) }
      for (const [property, value] of changes) {
        tx.emit(newcomerSettingChanged(audience, { property, value }))
      }
      tx.emit(organizationChanged({}))
    })
  }
}
