import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import type { AccountStep, UserRow } from '../users/index.js'

/** Tells the processes that a user's open connections are no longer vouched for. */
export const signedOut = '@signed-out'

/** Tells the processes that the application has ended a user's sessions. */
export const sessionsEnded = '@sessions-ended'

/** Ends open connections when an account is closed or its key replaced; polls prove theirs anew. */
@perServer()
export class SignOut implements AccountStep {
  async closed(tx: Transaction, user: UserRow): Promise<void> {
    this.#signOut(tx, user.id)
  }

  async keyReplaced(tx: Transaction, userId: number): Promise<void> {
    this.#signOut(tx, userId)
  }

  #signOut(tx: Transaction, userId: number): void {
    tx.emit({ kind: signedOut, data: { userId }, audience: {} })
  }
}
