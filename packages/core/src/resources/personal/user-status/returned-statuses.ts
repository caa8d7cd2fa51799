import { inject } from 'tsyringe'

import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { UserAudience, type AccountStep, type UserRow } from '../../people/users/index.js'
import type { UserVisibilityStep } from '../../people/user-visibility/index.js'
import { userStatusChanged } from './user-status-events.js'
import { UserStatusRepository } from './user-status-repository.js'
import { UserStatusView } from './user-status-view.js'

/** Sends the statuses of users who are reactivated, or become visible to other users. */
@perServer()
export class ReturnedStatuses implements AccountStep, UserVisibilityStep {
  constructor(
    @inject(UserStatusRepository) private readonly statuses: UserStatusRepository,
    @inject(UserStatusView) private readonly view: UserStatusView,
    @inject(UserAudience) private readonly audience: UserAudience,
  ) {}

  async reactivated(tx: Transaction, user: UserRow): Promise<void> {
    const audience = await this.audience.of(tx, user)
    await this.becameVisible(tx, [user.id], () => audience)
  }

  async becameVisible(
    tx: Transaction,
    userIds: readonly number[],
    audienceOf: (userId: number) => Audience,
  ): Promise<void> {
    for (const row of await this.statuses.findMany(tx, userIds)) {
      const view = this.view.of(row)
      if (Object.keys(view).length === 0) continue
      tx.emit(userStatusChanged(audienceOf(row.user_id), { user_id: row.user_id, ...view }))
    }
  }
}
