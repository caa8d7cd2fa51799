import { inject } from 'tsyringe'

import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import { UserAccess } from '../user-access/index.js'
import type { UserRow } from './users-table.js'

/** Determines who gets the events about a user. */
@perServer()
export class UserAudience {
  constructor(
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(UserAccess) private readonly access: UserAccess,
  ) {}

  /** All users who can access the user. */
  async of(tx: Transaction, user: Pick<UserRow, 'id' | 'is_bot'>): Promise<Audience> {
    const audienceId = await this.activeUsers.audience(tx)
    const exceptUserIds = await this.access.guestsWithoutAccess(tx, user)
    return exceptUserIds.length === 0 ? { audienceId } : { audienceId, exceptUserIds }
  }

  /** The same for several human users, with no more statements if all users can access all. */
  async ofAll(tx: Transaction, userIds: readonly number[]): Promise<ReadonlyMap<number, Audience>> {
    const audienceId = await this.activeUsers.audience(tx)
    const audiences = new Map<number, Audience>()
    for (const id of userIds) {
      const exceptUserIds = await this.access.guestsWithoutAccess(tx, { id, is_bot: false })
      audiences.set(id, exceptUserIds.length === 0 ? { audienceId } : { audienceId, exceptUserIds })
    }
    return audiences
  }
}
