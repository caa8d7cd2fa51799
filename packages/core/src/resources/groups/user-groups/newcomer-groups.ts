import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { Joining, NewcomerStep, UserRow } from '../../people/users/index.js'
import { UserGroupMembershipService } from './user-group-membership-service.js'

/** Adds new users to the groups of their invitation. */
@perServer()
export class NewcomerGroups implements NewcomerStep {
  constructor(
    @inject(UserGroupMembershipService) private readonly memberships: UserGroupMembershipService,
  ) {}

  async welcome(tx: Transaction, users: readonly UserRow[], joining?: Joining): Promise<void> {
    if (joining === undefined || joining.groupIds.length === 0) return
    const userIds = users.map(({ id }) => id)
    await this.memberships.addNewcomers(tx, joining.groupIds, userIds)
  }
}
