import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { AccountStep, KeyReplacedStep, UserRow } from '../../people/users/index.js'

/** The kind of the log entry on which processes end a user's open connections. */
export const signedOut = '@signed-out'

/** The kind of the log entry that the application has ended a user's sessions. */
export const sessionsEnded = '@sessions-ended'

/** The connections of a user that end. */
export interface EndedConnections {
  readonly userId: number
  /** Those opened with the application's session, those opened with API keys, or all. */
  readonly which: 'all' | 'apiKeys' | 'sessions'
}

/** @returns undefined if an entry of the log ends no connections. */
export function endedConnections(kind: string, data: unknown): EndedConnections | undefined {
  if (kind !== signedOut && kind !== sessionsEnded) return undefined
  // All entries of these two kinds have this data.
  const { userId, onlyApiKeys } = data as { userId: number; onlyApiKeys?: boolean }
  if (kind === sessionsEnded) return { userId, which: 'sessions' }
  return { userId, which: onlyApiKeys === true ? 'apiKeys' : 'all' }
}

/**
 * Ends open connections, including waiting polls, when an account is deactivated or its key
 * replaced. The next poll is authenticated again.
 */
@perServer()
export class SignOut implements AccountStep, KeyReplacedStep {
  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    tx.emit({ kind: signedOut, data: { userId: user.id }, audience: {} })
  }

  /**
   * Connections opened with the application's session remain: the application ends its sessions.
   */
  async keyReplaced(tx: Transaction, userId: number): Promise<void> {
    tx.emit({ kind: signedOut, data: { userId, onlyApiKeys: true }, audience: {} })
  }
}
