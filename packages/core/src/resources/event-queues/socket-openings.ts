import type { EventDelivery } from '../../events/delivery.js'
import type { EventQueue } from '../../events/event-queue.js'
import { endedConnections, type EndedConnections } from './sign-out.js'

/** A WebSocket that is being opened. */
export interface SocketOpening {
  /** Whether what vouches for a connection onto the queue has ended since the opening began. */
  isEnded(queue: Pick<EventQueue, 'organizationId' | 'userId'>, isBySession: boolean): boolean
  /** Must be called when the connection is open or refused. */
  finish(): void
}

/**
 * Knows what has ended while WebSockets are opened: between the look at the credentials and the
 * moment from which the queue knows of the connection, nothing else would end it.
 */
export class SocketOpenings {
  readonly #ended = new Set<Map<string, Set<EndedConnections['which']>>>()

  constructor(delivery: EventDelivery) {
    delivery.observe((organizationId, kind, data) => {
      const ended = endedConnections(kind, data)
      if (ended === undefined) return
      const key = `${organizationId}/${ended.userId}`
      for (const users of this.#ended) {
        users.set(key, (users.get(key) ?? new Set()).add(ended.which))
      }
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
