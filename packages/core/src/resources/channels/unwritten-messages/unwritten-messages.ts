import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { isSpectator, type Actor } from '../../../domain/users/actor.js'
import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { entryLimit } from '../../../kernel/entry-limit.js'
import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { MissingMessageRepository, type MissingCount } from './missing-message-repository.js'
import { UnwrittenMessageRepository } from './unwritten-message-repository.js'

/** User messages that are written in one transaction. */
const batchSize = 5000
/** The same in the background, where writes of clients wait for them. */
const backgroundBatchSize = 1000
/**
 * So many user messages that are not written, found by each read of the user, take less than a
 * millisecond. After so many messages of the organization, it is looked how many there are.
 */
const fewMessages = 100
/** Users of whom it is remembered when that was. */
const maxRemembered = 100_000
/** Users who wait for a look; others have it after a later call. */
const maxWaiting = 10_000
/** Imported users whose subscriptions are changed in one transaction. */
const usersPerBatch = 200

/** A user for whom many user messages may not be written. */
export interface Receiver {
  readonly organizationId: number
  readonly userId: number
}

/**
 * A message in a channel writes user messages only for receivers who have flags of their own on it, or
 * whom it may notify. The messages of the others follow from their subscriptions: reads find them
 * there, and changes of flags write those that they change. So a message to 50,000 users costs no
 * more than one to twenty.
 */
@perServer()
export class UnwrittenMessages {
  /** Messages since the process follows the log, by organization. */
  readonly #messages = new Map<number, number>()
  /** That number when it was last looked, by user. */
  readonly #lookedAt = new LRUCache<number, number>(entryLimit(maxRemembered))
  readonly #waiting = new Map<number, Receiver>()

  constructor(
    @inject(UnwrittenMessageRepository) private readonly userMessages: UnwrittenMessageRepository,
    @inject(MissingMessageRepository) private readonly missing: MissingMessageRepository,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    logs.onEnd((organizationId) => this.#messages.delete(organizationId))
  }

  /** To be called for each message that is sent, in whichever process. */
  noteMessage(organizationId: number): void {
    this.#messages.set(organizationId, this.#countOf(organizationId) + 1)
  }

  /** To be called for each call: the background writes the messages of callers who have many. */
  noteCaller(actor: Actor): void {
    const { userId, organizationId } = actor
    const count = this.#countOf(organizationId)
    const before = this.#lookedAt.get(userId)
    // It begins anew if the process has not followed the log for a while.
    if (before !== undefined && count >= before && count < before + fewMessages) return
    if (isSpectator(actor) || isSystemBotId(userId) || this.#waiting.size >= maxWaiting) return
    this.#lookedAt.set(userId, count)
    this.#waiting.set(userId, { organizationId, userId })
  }

  /**
   * Writes some of the messages that the caller who has waited longest has received, if they are so
   * many that reads take longer; the caller waits again for the rest.
   *
   * @returns whether callers wait.
   */
  async writeSomeOfNextCaller(): Promise<boolean> {
    const [caller] = this.#waiting.values()
    if (caller === undefined) return false
    this.#waiting.delete(caller.userId)
    // A few that would be left are written with the last batch.
    const most = backgroundBatchSize + fewMessages
    const { messages, endedIntervals } = await this.#count(caller, most + 1)
    if (messages + endedIntervals > fewMessages) {
      const isLong = messages > most
      await this.#writeBatch(caller, isLong ? backgroundBatchSize : undefined)
      if (isLong) this.#waiting.set(caller.userId, caller)
    }
    return this.#waiting.size > 0
  }

  /** Writes everything that a user has received until now. */
  async write(receiver: Receiver): Promise<void> {
    let isLong = true
    while (isLong) {
      const { messages, endedIntervals } = await this.#count(receiver, batchSize + 1)
      // Ended intervals are deleted, even if nothing is missing in them.
      if (messages + endedIntervals === 0) return
      isLong = messages > batchSize
      await this.#writeBatch(receiver, isLong ? batchSize : undefined)
    }
  }

  /** The same within a transaction, for the few that came after {@link write}. */
  async writeWithin(tx: Transaction, userId: number): Promise<void> {
    const { messages, endedIntervals } = await this.missing.count(tx, userId, 1)
    if (messages + endedIntervals > 0) await this.userMessages.writeAll(tx, userId)
  }

  /** Writes those of the messages that a user has received. */
  async writeMessages(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
  ): Promise<void> {
    for (const ids of chunksOf(messageIds, batchSize)) {
      await this.userMessages.writeMessages(tx, ids, [userId])
    }
  }

  /** Takes note, after an import, that everything is written that users have received. */
  async noteAllWritten(organizationId: number): Promise<void> {
    let userIds: readonly number[] = []
    do {
      const after = userIds.at(-1) ?? 0
      userIds = await this.unitOfWork.run(organizationId, async (tx) => {
        const ids = await this.missing.listUserIds(tx, after, usersPerBatch)
        await this.userMessages.noteWritten(tx, ids)
        return ids
      })
    } while (userIds.length === usersPerBatch)
  }

  #count({ organizationId, userId }: Receiver, limit: number): Promise<MissingCount> {
    return this.missing.count(this.database.read(organizationId), userId, limit)
  }

  /** @param size how many messages are written. @default all */
  async #writeBatch({ organizationId, userId }: Receiver, size?: number): Promise<void> {
    await this.unitOfWork.run(organizationId, async (tx) => {
      if (size === undefined) return this.userMessages.writeAll(tx, userId)
      await this.userMessages.writeMoved(tx, userId)
      let remaining = size
      for (const interval of await this.missing.listUnwritten(tx, userId)) {
        remaining -= await this.userMessages.writeSome(tx, userId, interval, remaining)
        if (remaining <= 0) return
      }
    })
  }

  #countOf(organizationId: number): number {
    return this.#messages.get(organizationId) ?? 0
  }
}
