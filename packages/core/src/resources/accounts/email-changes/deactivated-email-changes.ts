import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { AccountStep, UserRow } from '../../people/users/index.js'
import { emailChanges } from './email-changes-table.js'

/** Deletes the requested changes of deactivated accounts, so that they cannot be confirmed. */
@perServer()
export class DeactivatedEmailChanges implements AccountStep {
  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    await tx.rows(emailChanges).delete({ user_id: user.id })
  }
}
