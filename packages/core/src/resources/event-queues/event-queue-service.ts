import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { EventDelivery } from '../../events/delivery.js'
import { firstIdOf, seqOf } from '../../events/event-id.js'
import type { EventQueue, EventQueueOptions } from '../../events/event-queue.js'
import { LiveQueue, unused } from '../../events/live-queue.js'
import { SharedOptions } from '../../events/shared-options.js'
import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { randomToken } from '../../kernel/random.js'
import { ClockToken, LoggerToken } from '../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../storage/index.js'
import { OrganizationRepository, OrganizationService } from '../organizations/index.js'
import { EventQueueRepository, takesMessages } from './event-queue-repository.js'
import { QueueEndStepsToken, type QueueEndStep } from './queue-end-steps.js'
import { saveIntervalSeconds } from './queue-lifespan.js'
import { sessionsEnded, signedOut } from './sign-out.js'

/** How long the news that an organization is closed may take to reach its clients. */
const lastNewsMilliseconds = 1000

/** Tells the processes that remember a queue that it is gone. */
export const queueRemoved = '@queue-removed'

/** Registers, finds and deletes event queues. */
@perServer()
export class EventQueueService {
  readonly #options = new SharedOptions()

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(OrganizationRepository) private readonly organizationRows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(QueueEndStepsToken) private readonly endSteps: () => readonly QueueEndStep[],
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    delivery.observe((organizationId, kind, data) => {
      if (kind === queueRemoved) this.delivery.remove((data as { id: string }).id, 'deleted')
      if (kind === signedOut) {
        this.delivery.releaseUser(organizationId, (data as { userId: number }).userId)
      }
      if (kind === sessionsEnded) {
        this.delivery.releaseSessions(organizationId, (data as { userId: number }).userId)
      }
      if (kind === 'realm/deactivated') {
        this.clock.setTimeout(
          () => this.delivery.releaseOrganization(organizationId),
          lastNewsMilliseconds,
        )
      }
    })
  }

  /**
   * Makes a queue that starts after entry `createdSeq` of the log: the entry up to which the
   * client's snapshot reaches.
   */
  async create(actor: Actor, options: EventQueueOptions, createdSeq: number): Promise<EventQueue> {
    const { epoch } = await this.organizations.require(actor.organizationId)
    const queue: EventQueue = {
      ...this.#options.share(options),
      id: `${epoch}-${randomToken(18)}`,
      organizationId: actor.organizationId,
      userId: actor.userId,
      createdSeq,
    }
    const now = this.clock.now()
    await this.unitOfWork.runFor(
      actor,
      (tx) => this.queues.insert(tx, queue, Math.floor(now / 1000)),
      { alongside: true },
    )
    this.delivery.add(new LiveQueue(queue, unused(createdSeq), now))
    return queue
  }

  /**
   * The queue as this process serves it. Answers at once for a queue that it served before.
   *
   * @throws {ChatError} `BAD_EVENT_QUEUE_ID` if there is no such queue, or it is another user's.
   */
  require(actor: Actor, queueId: string): LiveQueue | Promise<LiveQueue> {
    const live = this.delivery.find(queueId)
    if (live === undefined) return this.#load(actor, queueId)
    this.#requireOwner(actor, live)
    return live
  }

  /**
   * Checks the place from which a client wants to go on. A client that is ahead of the log is sent
   * to register anew, which mends what a database restored from a backup has broken.
   *
   * @returns the event id to continue after.
   * @throws {ChatError} `BAD_REQUEST` if the client has shown before to have newer events;
   *   `BAD_EVENT_QUEUE_ID` if the log does not reach back or ahead to there.
   */
  position(live: LiveQueue, lastEventId: number | undefined): number | Promise<number> {
    const { queue } = live
    const start = firstIdOf(queue.createdSeq)
    if (lastEventId === undefined) return Math.max(start, live.acknowledgedId)
    const cursor = Math.max(start, lastEventId)
    if (lastEventId < -1 || cursor < live.acknowledgedId) {
      throw badRequest(`An event newer than ${lastEventId} has already been pruned!`)
    }
    if (live.hasIssued(cursor)) return cursor
    return this.#checkPosition(live, cursor)
  }

  /** Notes that the queue is in use; writes it down once a minute at most. */
  touch(live: LiveQueue): void {
    const now = this.clock.now()
    const { queue, use } = live
    // A clock that was set back must not keep the queue from being noted at all.
    const sinceSaved = Math.abs(now - live.savedAtMilliseconds)
    if (sinceSaved < saveIntervalSeconds(queue.idleTimeoutSeconds) * 1000) return
    live.savedAtMilliseconds = now
    this.unitOfWork
      .run(
        queue.organizationId,
        (tx) => this.queues.updateUse(tx, queue.id, Math.floor(now / 1000), use),
        { alongside: true },
      )
      .catch((error: unknown) =>
        this.logger.warn('Noting the use of a queue failed', { err: error }),
      )
  }

  /** @throws {ChatError} `BAD_EVENT_QUEUE_ID` if there is no such queue of this user. */
  async delete(actor: Actor, queueId: string): Promise<void> {
    const { queue, acknowledgedId } = await this.require(actor, queueId)
    const { userId } = actor
    await this.unitOfWork.runFor(actor, async (tx) => {
      if (!(await this.queues.delete(tx, queueId))) throw badQueue(queueId)
      const ended = { userId, acknowledgedId, takesMessages: takesMessages(queue) }
      for (const step of this.endSteps()) await step.ended(tx, [ended])
      tx.emit({ kind: queueRemoved, data: { id: queueId }, audience: {} })
    })
    this.delivery.remove(queueId, 'deleted')
  }

  async #load(actor: Actor, queueId: string): Promise<LiveQueue> {
    const { epoch } = await this.organizations.require(actor.organizationId)
    if (!queueId.startsWith(`${epoch}-`)) throw badQueue(queueId)
    // Followed from before the row is read: a deletion in between must not be missed.
    await this.delivery.watch(actor.organizationId)
    const stored = await this.queues.find(this.database.read(actor.organizationId), queueId)
    if (stored === undefined) throw badQueue(queueId)
    const queue = { ...stored.queue, ...this.#options.share(stored.queue) }
    const live = new LiveQueue(queue, stored.use, stored.lastSeenAtSeconds * 1000)
    this.#requireOwner(actor, live)
    return this.delivery.add(live)
  }

  #requireOwner(actor: Actor, live: LiveQueue): void {
    const { queue } = live
    if (queue.userId !== actor.userId || queue.organizationId !== actor.organizationId) {
      throw badQueue(queue.id)
    }
  }

  async #checkPosition(live: LiveQueue, lastEventId: number): Promise<number> {
    const { queue } = live
    const seq = seqOf(lastEventId)
    const headSeq = await this.delivery.headSeq(queue.organizationId, seq)
    if (seq > headSeq) throw badQueue(queue.id)
    const { floorSeq } = await this.organizationRows.logBounds(
      this.database.read(queue.organizationId),
    )
    if (live.startSeq(lastEventId) < floorSeq) throw badQueue(queue.id)
    return lastEventId
  }
}

function badQueue(queueId: string): ChatError {
  return new ChatError('BAD_EVENT_QUEUE_ID', { fields: { queue_id: queueId } })
}
