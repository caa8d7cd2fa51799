import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { AccountStep, UserRow } from '../../people/users/index.js'
import { RoleGroups } from './role-groups.js'

/**
 * Sends events about group memberships when an account is deactivated or reactivated. This is a
 * separate step because of the order of events: those about channels come before these, but a role
 * change sends those about groups before those about channels.
 */
@perServer()
export class AccountGroups implements AccountStep {
  constructor(@inject(RoleGroups) private readonly groups: RoleGroups) {}

  /** Users who can access the user get the deactivation event; other guests only get these. */
  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    await this.groups.leaveAll(tx, user)
  }

  async reactivated(tx: Transaction, user: UserRow): Promise<void> {
    await this.groups.enterAll(tx, user)
  }
}
