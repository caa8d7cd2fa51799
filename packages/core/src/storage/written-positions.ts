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
  /** Ids of messages up to which reads found that something is missing, by user. */
  readonly #missing = new LRUCache<number, number>({ max: maxRemembered })

  constructor(@inject(Database) private readonly database: Database) {}

  /** The id of such a message; undefined if unknown. */
  get(userId: number): number | undefined {
    return this.#isJoined ? undefined : this.#messageIds.get(userId)
  }

  /** To be called after the commit. */
  set(userId: number, messageId: number): void {
    if (this.#isJoined) return
    this.#messageIds.set(userId, messageId)
    if (messageId >= (this.#missing.get(userId) ?? 0)) this.#missing.delete(userId)
  }

  /**
   * Notes that user messages are missing, which reads of the user must find elsewhere until everything
   * up to a message is written. A write that began before does not end that.
   */
  noteMissing(userId: number, messageId: number): void {
    this.#missing.set(userId, Math.max(messageId, this.#missing.get(userId) ?? 0))
  }

  /** Whether user messages may be missing. */
  isBehind(userId: number): boolean {
    return this.#missing.has(userId)
  }

  get #isJoined(): boolean {
    return this.database.joined.transaction !== undefined
  }
}
