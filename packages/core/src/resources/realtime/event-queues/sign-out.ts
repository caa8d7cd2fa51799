import type { LogObservers } from '../../../events/log/log-observers.js'
import { defineRecord } from '../../../events/record-kind.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { AccountStep, KeyReplacedStep, UserRow } from '../../people/users/index.js'

/** Processes end a user's open connections. */
const signedOut = defineRecord<{ readonly userId: number; readonly onlyApiKeys?: boolean }>(
  '@signed-out',
)

/** The application has ended a user's sessions. */
export const sessionsEnded = defineRecord<{ readonly userId: number }>('@sessions-ended')

/** The connections of a user that end. */
export interface EndedConnections {
  readonly userId: number
  /** Those opened with the application's session, those opened with API keys, or all. */
  readonly which: 'all' | 'apiKeys' | 'sessions'
}

/** Observes the records of the log that end connections. */
export function onConnectionsEnded(
  logs: LogObservers,
  observer: (organizationId: number, ended: EndedConnections) => void,
): void {
  logs.on(sessionsEnded, (organizationId, { userId }) =>
    observer(organizationId, { userId, which: 'sessions' }),
  )
  logs.on(signedOut, (organizationId, { userId, onlyApiKeys }) =>
    observer(organizationId, { userId, which: onlyApiKeys === true ? 'apiKeys' : 'all' }),
  )
}

/**
 * Ends open connections, including waiting polls, when an account is deactivated or its key
 * replaced. The next poll is authenticated again.
 */
@perServer()
export class SignOut implements AccountStep, KeyReplacedStep {
  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    tx.emit(signedOut({ userId: user.id }))
  }

  /**
   * Connections opened with the application's session remain: the application ends its sessions.
   */
  async keyReplaced(tx: Transaction, userId: number): Promise<void> {
    tx.emit(signedOut({ userId, onlyApiKeys: true }))
  }
}
