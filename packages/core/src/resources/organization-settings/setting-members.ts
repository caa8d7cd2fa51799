import { inject } from 'tsyringe'

import type { Audience } from '../../events/event.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { ActiveUsers } from '../active-users/index.js'
import {
  OrganizationRepository,
  organizationStateOf,
  realmSettingsUpdated,
} from '../organizations/index.js'
import { UserAccess } from '../user-access/index.js'
import { GroupSettingValues, UserGroupRepository } from '../user-groups/index.js'
import type { AccountStep, UserRow } from '../users/index.js'

/**
 * Tells of settings that name a user who is deactivated, or active again. Clients work out the
 * former by themselves, unless they do not know the user.
 */
@perServer()
export class SettingMembers implements AccountStep {
  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(UserGroupRepository) private readonly groups: UserGroupRepository,
    @inject(GroupSettingValues) private readonly values: GroupSettingValues,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
  ) {}

  async closed(tx: Transaction, user: UserRow): Promise<void> {
    const userIds = await this.access.guestsWithout(tx, user)
    if (userIds.length > 0) await this.#tell(tx, user, { userIds })
  }

  async reopened(tx: Transaction, user: UserRow): Promise<void> {
    await this.#tell(tx, user, { audienceId: await this.activeUsers.audience(tx) })
  }

  async #tell(tx: Transaction, user: UserRow, audience: Audience): Promise<void> {
    const row = await this.organizations.findCurrent(tx)
    if (row === undefined) return
    const own = new Set(await this.groups.groupIdsOf(tx, user.id))
    const naming = Object.entries(organizationStateOf(row).permissions).filter(([, id]) =>
      own.has(id),
    )
    if (naming.length === 0) return
    const valueOf = await this.values.reader(tx)
    for (const [name, groupId] of naming) {
      const value = valueOf(groupId)
      // A setting that names a group does not change with the group's members.
      if (typeof value === 'number') continue
      tx.emit(realmSettingsUpdated(audience, { data: { [name]: value } }))
    }
  }
}
