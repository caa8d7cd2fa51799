import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { parseUserSettings } from '../../domain/user-settings.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork } from '../../storage/index.js'
import { ActiveUsers } from '../active-users/index.js'
import { organizationChanged, OrganizationRepository } from '../organizations/index.js'
import { changedSettings, type SettingChanges } from './setting-parameters.js'
import { requireSettings } from './setting-rules.js'
import { newcomerSettingChanged } from './user-settings-events.js'

/** Changes the settings with which the organization's future users start. */
@perServer()
export class NewcomerSettingsService {
  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * All of it or nothing; existing users keep what they have.
   *
   * @throws {ChatError} `BAD_REQUEST` if a value is impossible.
   */
  async update(actor: Actor, wanted: SettingChanges): Promise<void> {
    const settings = requireSettings(wanted)
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { user_defaults } = await this.organizations.lockCurrent(tx)
      const changes = Object.entries(changedSettings(parseUserSettings(user_defaults), settings))
      if (changes.length === 0) return
      const stored = JSON.parse(user_defaults) as object
      await this.organizations.update(tx, {
        user_defaults: JSON.stringify({ ...stored, ...Object.fromEntries(changes) }),
      })
      const audience = { audienceId: await this.activeUsers.audience(tx) }
      for (const [property, value] of changes) {
        tx.emit(newcomerSettingChanged(audience, { property, value }))
      }
      tx.emit({ kind: organizationChanged, data: {}, audience: {} })
    })
  }
}
