import { inject } from 'tsyringe'

import { isSpectator, type Actor } from '../../../domain/users/actor.js'
import { isSystemBotId } from '../../../domain/users/system-bots.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { withinTime } from '../../../kernel/within-time.js'
import {
  Database,
  UnitOfWork,
  WrittenPositions,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { MissingMessageRepository, type Missing } from './missing-message-repository.js'
import { UnwrittenMessageRepository } from './unwritten-message-repository.js'

/** User messages that are written in one transaction. */
const batchSize = 5000
/** So many newer messages are looked at one by one; instead of more, the user's subscriptions. */
const fewMessages = 500
/** How long a read waits until it finds what is not written in the intervals instead. */
const readWaitMilliseconds = 50
/** Imported users whose subscriptions are changed in one transaction. */
const usersPerBatch = 200

/**
 * A message in a channel writes user messages only for receivers who have flags of their own on it, or
 * whom it may notify. What the others have received follows from their subscriptions, and is written
 * before their next call that may depend on it. So a message to 50,000 users costs no more than one
 * to twenty.
 */
@perServer()
export class UnwrittenMessages {
  /** What reads of users have begun to write. */
  readonly #writing = new Map<number, Promise<void>>()

  constructor(
    @inject(UnwrittenMessageRepository) private readonly userMessages: UnwrittenMessageRepository,
    @inject(MissingMessageRepository) private readonly missing: MissingMessageRepository,
    @inject(WrittenPositions) private readonly positions: WrittenPositions,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * To be called before each call. Returns undefined if there is nothing to do.
   *
   * @param isRead whether the call only reads: it does not wait for a lock that is not free, and does
   *   not fail because nothing can be written.
   */
  writeFor(actor: Actor, isRead = false): undefined | Promise<void> {
    const { userId, organizationId } = actor
    if (isSpectator(actor) || isSystemBotId(userId)) return undefined
    // Nothing runs in a transaction of the application after the call.
    if (!isRead || this.database.joined.transaction !== undefined) {
      return this.write(organizationId, userId)
    }
    return this.#writeForRead(organizationId, userId)
  }

  /** Writes everything that a user has received until now. */
  async write(organizationId: number, userId: number): Promise<void> {
    const missing = await this.#find(this.database.read(organizationId), userId)
    await this.#write(organizationId, userId, missing)
  }

  async #writeForRead(organizationId: number, userId: number): Promise<void> {
    const missing = await this.#find(this.database.read(organizationId), userId)
    if (missing.count === 0) return this.positions.set(userId, missing.newestId)
    this.positions.noteMissing(userId, missing.newestId)
    let writing = this.#writing.get(userId)
    if (writing === undefined) {
      writing = this.#write(organizationId, userId, missing).finally(() => {
        this.#writing.delete(userId)
      })
      this.#writing.set(userId, writing)
    }
    const late = new Error('Not written in time')
    // The read finds what is missing in any case.
    await withinTime(this.clock, readWaitMilliseconds, writing, () => late).catch(() => {})
  }

  async #write(organizationId: number, userId: number, missing: Missing): Promise<void> {
    let { count } = missing
    while (count > 0) {
      const isLong = count > batchSize
      count = await this.unitOfWork.run(organizationId, (tx) =>
        this.#writeBatch(tx, userId, missing, isLong),
      )
    }
    this.positions.set(userId, missing.newestId)
  }

  /**
   * The same within a transaction, for what came after {@link writeFor}.
   *
   * @returns whether anything was missing.
   */
  async writeWithin(tx: Transaction, userId: number): Promise<boolean> {
    const missing = await this.#find(tx, userId)
    if (missing.count === 0) return false
    await this.userMessages.writeAll(tx, userId, missing.channelIds)
    return true
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

  async #find(scope: OrganizationScope, userId: number): Promise<Missing> {
    const known = this.positions.get(userId)
    const newer =
      known === undefined
        ? undefined
        : await this.missing.findNewer(scope, userId, known, fewMessages)
    return newer ?? this.missing.findAll(scope, userId, batchSize + 1)
  }

  /** @returns the number that is left, counted up to a limit. */
  async #writeBatch(
    tx: Transaction,
    userId: number,
    { channelIds }: Missing,
    isLong: boolean,
  ): Promise<number> {
    if (!isLong) {
      await this.userMessages.writeAll(tx, userId, channelIds)
      return 0
    }
    // Their intervals are shortened below.
    await this.userMessages.writeMoved(tx, userId)
    let remaining = batchSize
    for (const interval of await this.missing.listUnwritten(tx, userId)) {
      remaining -= await this.userMessages.writeSome(tx, userId, interval, remaining)
      if (remaining <= 0) break
    }
    // What has become empty is deleted with the rest.
    const { count } = await this.missing.findAll(tx, userId, batchSize + 1)
    return Math.max(1, count)
  }
}
