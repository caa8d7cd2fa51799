import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import type { AccountStep, UserRow } from '../users/index.js'
import { RoleGroups } from './role-groups.js'

/**
 * Tells clients how closing and reopening an account changes groups: a step apart, because clients
 * hear of channels first, and of a new role's groups before its channels.
 */
@perServer()
export class AccountGroups implements AccountStep {
  constructor(@inject(RoleGroups) private readonly groups: RoleGroups) {}

  /** Who may know of the user hears that the account is closed; other guests only hear this. */
  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    await this.groups.leaveAll(tx, user)
  }

  async reactivated(tx: Transaction, user: UserRow): Promise<void> {
    await this.groups.enterAll(tx, user)
  }
}
