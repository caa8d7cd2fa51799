import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { perServer } from '../kernel/per-server.js'
import { Database } from './database.js'

/** Users of whom a process remembers a position. */
const maxRemembered = 100_000

/**
 * Up to which message all user messages of users are written, for reads that begin later. Nothing is
 * known in a transaction of the application: it may have begun before, and may be rolled back.
 */
@perServer()
export class WrittenPositions {
  /** Ids of messages, by user. They are in the order of commits. */
  readonly #messageIds = new LRUCache<number, number>({ max: maxRemembered })
  /** Users whose newest user messages could not be written before a read. */
  readonly #behind = new LRUCache<number, true>({ max: maxRemembered })

  constructor(@inject(Database) private readonly database: Database) {}

  /** The id of such a message; undefined if unknown. */
  get(userId: number): number | undefined {
    return this.#isJoined ? undefined : this.#messageIds.get(userId)
  }

  /** To be called after the commit. */
  set(userId: number, messageId: number): void {
    if (this.#isJoined) return
    this.#messageIds.set(userId, messageId)
    this.#behind.delete(userId)
  }

  /** Notes that reads of the user must find user messages that are not written, until they are. */
  noteBehind(userId: number): void {
    this.#behind.set(userId, true)
  }

  /** Whether a read may begin although user messages are missing. */
  isBehind(userId: number): boolean {
    return this.#behind.has(userId)
  }

  get #isJoined(): boolean {
    return this.database.joined.transaction !== undefined
  }
}
