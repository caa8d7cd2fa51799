import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { EventDelivery } from '../../../events/delivery.js'
import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import { LongPoll } from '../../../events/queues/long-poll.js'
import type { SessionCheck } from '../../../events/queues/session-check.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database } from '../../../storage/index.js'
import { OrganizationRepository } from '../../organization/organizations/index.js'
import { EventQueueService } from './event-queue-service.js'

/** The parameters of a poll. */
export interface PollRequest {
  readonly queueId: string | undefined
  readonly lastEventId: number | undefined
  /** Whether to respond at once even if there are no events. */
  readonly dontBlock: boolean
  /** {@link RequestFacts.onDisconnect}; only called if the poll waits. */
  readonly onDisconnect: (listener: () => void) => () => void
  /** Returns the repeatable check of the caller's session; only called if the poll waits. */
  readonly session: () => SessionCheck | undefined
  /** Returns the options of the queue to create if the client names none. */
  readonly register: () => EventQueueOptions
}

export interface PollAnswer {
  readonly queueId: string
  /** JSON texts. */
  readonly events: readonly string[]
  /** Whether the poll waited. */
  readonly delayed: boolean
}

/** Answers polls: at once if there are events, otherwise when there are. */
@perServer()
export class EventPolling {
  constructor(
    @inject(EventQueueService) private readonly queues: EventQueueService,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly organizationRows: OrganizationRepository,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  get defaultIdleSeconds(): number {
    return this.facts.queueIdleTimeoutSeconds
  }

  /**
   * @throws {ChatError} `BAD_EVENT_QUEUE_ID` if the queue cannot be resumed from there; the error
   *   of an unauthenticated request if the caller's session ends while the poll waits.
   */
  async poll(actor: Actor, request: PollRequest): Promise<PollAnswer> {
    const queueId = request.queueId ?? (await this.register(actor, request.register()))
    const found = this.queues.require(actor, queueId)
    const live = found instanceof Promise ? await found : found
    const placed = this.queues.position(live, request.lastEventId)
    const cursor = typeof placed === 'number' ? placed : await placed
    live.consumer?.release('superseded')
    live.acknowledge(cursor)
    const collected = this.delivery.collect(live, cursor)
    const batch = collected instanceof Promise ? await collected : collected
    this.queues.touch(live)
    if (batch.events.length > 0 || request.dontBlock) {
      return { queueId, events: batch.events, delayed: false }
    }
    const poll = new LongPoll(
      this.delivery,
      live,
      cursor,
      request.onDisconnect,
      this.clock,
      this.facts.heartbeatSeconds,
      request.session(),
    )
    return { queueId, events: await poll.answer, delayed: true }
  }

  /**
   * Creates a queue without a snapshot.
   *
   * @returns its id.
   */
  async register(actor: Actor, options: EventQueueOptions): Promise<string> {
    const { headSeq } = await this.organizationRows.logBounds(
      this.database.read(actor.organizationId),
    )
    const queue = await this.queues.create(actor, options, headSeq)
    return queue.id
  }
}
