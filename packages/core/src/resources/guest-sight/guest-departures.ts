import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { UserAccess } from '../user-access/index.js'
import { userRemoved, type AccountStep, type UserRow } from '../users/index.js'
import { unknownName } from './guest-sight.js'

/** Tells guests who knew a deactivated user from channels only that they do not any more. */
@perServer()
export class GuestDepartures implements AccountStep {
  constructor(@inject(UserAccess) private readonly access: UserAccess) {}

  async closed(tx: Transaction, user: UserRow): Promise<void> {
    const userIds = await this.access.guestsLeftBy(tx, user)
    if (userIds.length === 0) return
    tx.emit(userRemoved({ userIds }, { person: { user_id: user.id, full_name: unknownName } }))
  }
}
