import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import type { AccountStep, UserRow } from '../users/index.js'

/** Tells the processes that a user's open connections are no longer vouched for. */
export const signedOut = '@signed-out'

/** Tells the processes that the application has ended a user's sessions. */
export const sessionsEnded = '@sessions-ended'

/** The connections of a user that end. */
export interface EndedConnections {
  readonly userId: number
  /** Those that the application's session has opened, those of API keys, or all. */
  readonly which: 'all' | 'apiKeys' | 'sessions'
}

/** @returns undefined if an entry of the log ends no connections. */
export function endedConnections(kind: string, data: unknown): EndedConnections | undefined {
  if (kind !== signedOut && kind !== sessionsEnded) return undefined
  const { userId, onlyApiKeys } = data as { userId: number; onlyApiKeys?: boolean }
  if (kind === sessionsEnded) return { userId, which: 'sessions' }
  return { userId, which: onlyApiKeys === true ? 'apiKeys' : 'all' }
}

/** Ends open connections when an account is closed or its key replaced; polls prove theirs anew. */
@perServer()
export class SignOut implements AccountStep {
  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    tx.emit({ kind: signedOut, data: { userId: user.id }, audience: {} })
  }

  /** What the application's session has opened stays: its end is the application's to tell. */
  async keyReplaced(tx: Transaction, userId: number): Promise<void> {
    tx.emit({ kind: signedOut, data: { userId, onlyApiKeys: true }, audience: {} })
  }
}
