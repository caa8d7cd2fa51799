import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { AccountStep, UserRow } from '../../people/users/index.js'
import { EmailChangeRepository } from './email-change-repository.js'

/** Deletes the requested changes of deactivated accounts, so that they cannot be confirmed. */
@perServer()
export class DeactivatedEmailChanges implements AccountStep {
  constructor(@inject(EmailChangeRepository) private readonly changes: EmailChangeRepository) {}

  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    await this.changes.deleteOfUser(tx, user.id)
  }
}
