import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { UserAccess } from '../user-access/index.js'
import type { AccountStep, UserRow } from '../users/index.js'
import { UserVisibilityEvents } from './user-visibility-events.js'

/** Removes a deactivated user for guests who had access through shared channels only. */
@perServer()
export class GuestDepartures implements AccountStep {
  constructor(
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UserVisibilityEvents) private readonly events: UserVisibilityEvents,
  ) {}

  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    const guestIds = await this.access.guestsLeftBy(tx, user)
    if (guestIds.length > 0) this.events.hide(tx, user.id, guestIds)
  }
}
