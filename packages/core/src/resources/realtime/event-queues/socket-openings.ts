import type { FollowedLogs } from '../../../events/log/followed-logs.js'
import type { EventQueue } from '../../../events/queues/event-queue.js'
import { onConnectionsEnded, type EndedConnections } from './sign-out.js'

/** A WebSocket that is being opened. */
export interface SocketOpening {
  /**
   * Whether the credentials of a connection to the queue have been revoked since the opening began.
   */
  isEnded(queue: Pick<EventQueue, 'organizationId' | 'userId'>, isBySession: boolean): boolean
  /** Must be called when the connection is open or refused. */
  finish(): void
}

/**
 * Tracks which connections end while WebSockets are being opened: between the check of the
 * credentials and the registration of the connection with its queue, nothing else would end it.
 */
export class SocketOpenings {
  readonly #ended = new Set<Map<string, Set<EndedConnections['which']>>>()

  constructor(logs: FollowedLogs) {
    onConnectionsEnded(logs, (organizationId, { userId, which }) => {
      const key = `${organizationId}/${userId}`
      for (const users of this.#ended) users.set(key, (users.get(key) ?? new Set()).add(which))
    })
  }

  begin(): SocketOpening {
    const users = new Map<string, Set<EndedConnections['which']>>()
    this.#ended.add(users)
    return {
      isEnded: ({ organizationId, userId }, isBySession) => {
        const which = users.get(`${organizationId}/${userId}`)
        if (which === undefined) return false
        return which.has('all') || which.has(isBySession ? 'sessions' : 'apiKeys')
      },
      finish: () => void this.#ended.delete(users),
    }
  }
}
