import { inject, injectAll } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { EventDelivery } from '../../../events/delivery.js'
import { EventCatalogue } from '../../../events/event-catalogue.js'
import { firstIdOf, seqOf } from '../../../events/event-id.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import type { EventQueue, EventQueueOptions } from '../../../events/queues/event-queue.js'
import { LiveQueue, unused } from '../../../events/queues/live-queue.js'
import { SharedOptions } from '../../../events/queues/shared-options.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import {
  OrganizationRepository,
  OrganizationService,
  realmDeactivated,
} from '../../organization/organizations/index.js'
import { EventQueueRepository, takesMessages } from './event-queue-repository.js'
import { QueueEndStepToken, type QueueEndStep } from './queue-end-steps.js'
import { newQueueId } from './queue-id.js'
import { saveIntervalSeconds } from './queue-lifespan.js'
import { QueueLimit } from './queue-limit.js'
import { queueRemoved } from './queue-removal.js'
import { QueueUses } from './queue-uses.js'
import { onConnectionsEnded } from './sign-out.js'
import { eventQueues } from './event-queues-table.js'

/** How long the event of an organization's deactivation may take to reach its clients. */
const deactivationEventMilliseconds = 1000

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
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
    @inject(EventCatalogue) private readonly catalogue: EventCatalogue,
    @inject(QueueLimit) private readonly limit: QueueLimit,
    @inject(QueueUses) private readonly uses: QueueUses,
    @injectAll(QueueEndStepToken) private readonly endSteps: readonly QueueEndStep[],
    @inject(ClockToken) private readonly clock: Clock,
  ) {
    logs.on(queueRemoved, (_, { id }) => this.delivery.remove(id, 'deleted'))
    onConnectionsEnded(logs, (organizationId, ended) =>
      this.delivery.releaseUser(organizationId, ended),
    )
    logs.on(realmDeactivated, (organizationId) => {
      this.clock.setTimeout(
        () => this.delivery.releaseOrganization(organizationId),
        deactivationEventMilliseconds,
      )
    })
  }

  /**
   * Creates a queue that starts after entry `createdSeq` of the log, the last one that the client's
   * snapshot includes. If the user has the maximum number of queues, the one that has been idle
   * longest is removed.
   */
  async create(actor: Actor, options: EventQueueOptions, createdSeq: number): Promise<EventQueue> {
    const { epoch } = await this.organizations.require(actor.organizationId)
    const queue: EventQueue = {
      ...this.#options.share(this.#known(options)),
      id: newQueueId(epoch, actor.userId),
      organizationId: actor.organizationId,
      userId: actor.userId,
      createdSeq,
    }
    const now = this.clock.now()
    const { userId } = actor
    const insertWithinLimit = (tx: Transaction): Promise<boolean> =>
      this.limit.insertWithin(tx, queue, Math.floor(now / 1000))
    if (!(await this.unitOfWork.runFor(actor, insertWithinLimit, { skipWriteLock: true }))) {
      // The steps that follow the end of a queue must not run concurrently with other writes.
      await this.unitOfWork.runFor(actor, async (tx) => {
        await this.limit.makeRoom(tx, userId)
        await this.queues.insert(tx, queue, Math.floor(now / 1000))
      })
    }
    this.delivery.add(new LiveQueue(queue, unused(createdSeq), now))
    return queue
  }

  /**
   * Returns the queue as this process serves it; synchronously if it already does.
   *
   * @throws {ChatError} `BAD_EVENT_QUEUE_ID` if there is no such queue, or it belongs to another
   *   user.
   */
  require(actor: Actor, queueId: string): LiveQueue | Promise<LiveQueue> {
    const live = this.delivery.find(queueId)
    if (live === undefined) return this.#load(actor, queueId)
    this.#requireOwner(actor, live)
    return live
  }

  /**
   * Checks the position from which a client wants to resume. A client that is ahead of the log must
   * register again, which happens after the database was restored from a backup.
   *
   * @returns the event id to resume after.
   * @throws {ChatError} `BAD_REQUEST` if the client has acknowledged newer events before;
   *   `BAD_EVENT_QUEUE_ID` if the position is outside the log.
   */
  position(live: LiveQueue, lastEventId: number | undefined): number | Promise<number> {
    const { queue } = live
    const start = firstIdOf(queue.createdSeq)
    if (lastEventId === undefined) return Math.max(start, live.acknowledgedId)
    const cursor = Math.max(start, lastEventId)
    if (lastEventId < -1 || cursor < live.acknowledgedId) {
      throw badRequest('LAST_EVENT_REMOVED', { lastEventId })
    }
    if (live.hasIssued(cursor)) return cursor
    return this.#checkPosition(live, cursor)
  }

  /** Records that the queue is in use; this is noted for its row at most once a minute. */
  touch(live: LiveQueue): void {
    const now = this.clock.now()
    const { queue } = live
    live.usedAtMilliseconds = now
    // A clock that was set back must not prevent the use from being recorded.
    const sinceSaved = Math.abs(now - live.savedAtMilliseconds)
    const isDue = sinceSaved >= saveIntervalSeconds(queue.idleTimeoutSeconds) * 1000
    if (!isDue && !live.isNotedElsewhere) return
    // Later than the value of the other process, which thereby detects the use of the queue here.
    const seenAtSeconds = live.isNotedElsewhere
      ? Math.max(Math.floor(now / 1000), Math.floor(live.savedAtMilliseconds / 1000) + 1)
      : Math.floor(now / 1000)
    live.savedAtMilliseconds = Math.max(now, seenAtSeconds * 1000)
    live.isNotedElsewhere = false
    this.uses.note(live, seenAtSeconds)
  }

  /** @throws {ChatError} `BAD_EVENT_QUEUE_ID` if there is no such queue of this user. */
  async delete(actor: Actor, queueId: string): Promise<void> {
    const { queue, acknowledgedId } = await this.require(actor, queueId)
    const { userId } = actor
    await this.unitOfWork.runFor(actor, async (tx) => {
      if ((await tx.rows(eventQueues).delete({ id: queueId })) === 0) throw badQueue(queueId)
      const ended = { userId, acknowledgedId, takesMessages: takesMessages(queue) }
      for (const step of this.endSteps) await step.ended(tx, [ended])
      tx.emit(queueRemoved({ id: queueId }))
    })
    this.delivery.remove(queueId, 'deleted')
  }

  /** Types that no event has are not stored. */
  #known(options: EventQueueOptions): EventQueueOptions {
    const { eventTypes } = options
    if (eventTypes === null) return options
    return { ...options, eventTypes: this.catalogue.knownTypes(eventTypes) }
  }

  async #load(actor: Actor, queueId: string): Promise<LiveQueue> {
    const { epoch } = await this.organizations.require(actor.organizationId)
    if (!queueId.startsWith(`${epoch}-`)) throw badQueue(queueId)
    // Watch the log before the row is read: a deletion in between must not be missed.
    await this.logs.watch(actor.organizationId)
    const stored = await this.queues.find(this.database.read(actor.organizationId), queueId)
    if (stored === undefined) throw badQueue(queueId)
    const queue = { ...stored.queue, ...this.#options.share(stored.queue) }
    const live = new LiveQueue(queue, stored.use, stored.lastSeenAtSeconds * 1000, true)
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
    const headSeq = await this.logs.headSeq(queue.organizationId, seq)
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
