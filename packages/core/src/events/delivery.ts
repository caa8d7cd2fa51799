import { ChatError } from '../errors/index.js'
import type { Clock } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import { Telemetry } from '../kernel/telemetry/telemetry.js'
import type { EphemeralEvent, EventBus } from './bus/bus.js'
import type { EventCatalogue } from './event-catalogue.js'
import type { EventLog } from './log/event-log.js'
import { FollowedLogs, type FollowedLogsOptions } from './log/followed-logs.js'
import { LogEntry } from './log/log-entry.js'
import type { OrganizationTail } from './log/organization-tail.js'
import { EventBatchBuilder, maxBatchCharacters } from './queues/event-batch-builder.js'
import type { LiveQueue } from './queues/live-queue.js'
import { LiveQueues } from './queues/live-queues.js'
import { LongPoll } from './queues/long-poll.js'
import { SharedFrames, type EventBatch } from './queues/shared-events.js'
import { WakeScheduler } from './queues/wake-scheduler.js'

const readPageSize = 500

/**
 * Delivers committed events to the queues that this process serves.
 *
 * Wakes the polls and sockets that wait for an entry of a followed log, and reads entries that are
 * no longer in its tail from the database.
 */
export class EventDelivery {
  /** The logs of the queues, and of the caches of this process. */
  readonly logs: FollowedLogs
  readonly #live = new LiveQueues()
  readonly #wakeScheduler: WakeScheduler
  readonly #unsubscribe: () => void
  /** Queues that get no events until the log can be read again. */
  readonly #waiting = new Set<LiveQueue>()
  /** The frames that the sockets of several queues send. */
  readonly frames = new SharedFrames()
  #takesWaiters = true

  constructor(
    private readonly log: EventLog,
    private readonly catalogue: EventCatalogue,
    bus: EventBus,
    private readonly clock: Clock,
    private readonly logger: Logger,
    options: FollowedLogsOptions,
    telemetry = new Telemetry(),
  ) {
    this.#wakeScheduler = new WakeScheduler(clock, telemetry)
    this.logs = new FollowedLogs(log, catalogue, clock, logger, bus, options, {
      onEntry: (organizationId, entry) => {
        this.#live.visitConcerned(organizationId, entry, this.#wakeScheduler.add)
        this.#wakeScheduler.noteCommit(entry.committedAtMilliseconds)
      },
      onEnd: (organizationId, reason) => this.#removeOrganization(organizationId, reason),
      onRead: () => {
        for (const live of this.#waiting) {
          // Otherwise it would read again without end.
          if (this.logs.find(live.queue.organizationId)?.hasFailed === true) continue
          this.#waiting.delete(live)
          this.#wakeScheduler.add(live)
        }
      },
    })
    this.#unsubscribe = bus.subscribe({
      onRecords: (organizationId, records) => this.logs.admit(organizationId, records),
      onHead: (organizationId, seq) => this.logs.find(organizationId)?.raiseHead(seq),
      onEphemeral() {},
    })
  }

  /** Whether clients may wait here; if not, they should connect to another process. */
  get takesWaiters(): boolean {
    return this.#takesWaiters
  }

  /** Releases every consumer and accepts no new ones; clients reconnect, here or elsewhere. */
  drain(): void {
    this.#takesWaiters = false
    for (const live of this.#live) live.consumer?.release('closing')
  }

  /** Releases every consumer, drops all state, and stops following the logs. */
  close(): void {
    this.#unsubscribe()
    this.drain()
    this.#live.clear()
    this.logs.close()
  }

  find(queueId: string): LiveQueue | undefined {
    return this.#live.find(queueId)
  }

  /** Starts to serve a queue; returns the existing instance if it is already served. */
  add(live: LiveQueue): LiveQueue {
    return this.#live.add(live)
  }

  /** Stops serving a queue. */
  remove(queueId: string, reason: 'deleted' | 'closing'): void {
    const live = this.#live.remove(queueId)
    if (live !== undefined) this.#waiting.delete(live)
    live?.consumer?.release(reason)
  }

  /** Ends the waiting polls and the sockets of a user's clients; their queues stay. */
  releaseUser(
    organizationId: number,
    { userId, which }: { userId: number; which: 'all' | 'apiKeys' | 'sessions' },
  ): void {
    for (const { consumer } of this.#live.ofUser(organizationId, userId)) {
      if (which === 'all' || (which === 'apiKeys' && consumer?.isBySession === false)) {
        consumer?.release('signedOut')
      } else if (which === 'sessions' && consumer?.isBySession === true) {
        consumer.release('sessionEnded')
      }
    }
  }

  /** The same for all users of an organization. */
  releaseOrganization(organizationId: number): void {
    for (const live of this.#live) {
      if (live.queue.organizationId === organizationId) live.consumer?.release('signedOut')
    }
  }

  /** Number of queues that this process serves. */
  get queueCount(): number {
    return this.#live.size
  }

  /** Number of long polls that wait. Looks at every queue. */
  countPolls(): number {
    let polls = 0
    for (const { consumer } of this.#live) if (consumer instanceof LongPoll) polls += 1
    return polls
  }

  /**
   * Collects the events after `cursor` for a queue's client. Synchronous if no read is needed.
   *
   * @throws {ChatError} `BAD_EVENT_QUEUE_ID` if the log no longer reaches back to `cursor`.
   */
  collect(
    live: LiveQueue,
    cursor: number,
    maxCharacters = maxBatchCharacters,
  ): EventBatch | Promise<EventBatch> {
    const { organizationId } = live.queue
    // Texts may have been removed at another process meanwhile.
    const reading = this.logs.becomeCurrent(organizationId)
    if (reading !== undefined) return this.#collectCurrent(reading, live, cursor, maxCharacters)
    const tail = this.logs.find(organizationId)
    if (tail !== undefined && tail.headSeq >= 0 && tail.catchUp() === undefined) {
      tail.usedAtMilliseconds = this.clock.now()
      const start = live.startSeq(cursor)
      const batch =
        this.#collectNewest(tail, live, cursor, start) ??
        this.#collectFrom(
          tail,
          live,
          new EventBatchBuilder(this.catalogue, live, cursor, maxCharacters),
          start,
        )
      if (batch !== undefined) return batch
    }
    return this.#collectSlowly(live, cursor, maxCharacters)
  }

  /** An id for an event of this queue that is not in the log; undefined when none is free. */
  ephemeralId(live: LiveQueue): number | undefined {
    const tail = this.logs.find(live.queue.organizationId)
    const seen = Math.max(live.queue.createdSeq, Math.min(live.seenSeq, tail?.headSeq ?? 0))
    const id = live.nextEphemeralId(seen)
    if (id === undefined) this.#tick(live.queue.organizationId)
    return id
  }

  /** Delivers a checked event that is not in the log. */
  deliverEphemeral(event: EphemeralEvent): void {
    const record = {
      organizationId: event.organizationId,
      seq: 0,
      kind: event.kind,
      audienceId: null,
      recipients: { userIds: event.userIds },
      groups: [],
      data: event.data,
    }
    const entry = new LogEntry(record)
    const afterSeq = this.logs.find(event.organizationId)?.knownSeq ?? 0
    for (const userId of event.userIds) {
      for (const live of this.#live.ofUser(event.organizationId, userId)) {
        if (!this.catalogue.isWanted(entry, live.queue)) continue
        for (const text of this.catalogue.texts(entry, live.queue))
          live.bufferEphemeral(text, afterSeq)
        this.#wakeScheduler.add(live)
      }
    }
  }

  /**
   * The batch of a queue that lacks only the newest entry, as most do when they are woken: the same
   * object for all of them. Undefined if the batch is not that simple.
   */
  #collectNewest(
    tail: OrganizationTail,
    live: LiveQueue,
    cursor: number,
    start: number,
  ): EventBatch | undefined {
    const entry = tail.onlyAfter(start)
    if (entry === undefined || live.holdsEphemerals || this.catalogue.merging(entry)) {
      return undefined
    }
    const events = this.catalogue.wantedEvents(entry, live.queue)
    if (events === undefined) {
      live.markScanned(cursor, entry.seq)
      return { events: [], lastId: cursor, hasMore: false, parts: [] }
    }
    if (events.texts.length === 0 || events.firstId <= cursor) return undefined
    live.noteId(events.lastId)
    live.markScanned(events.lastId, entry.seq)
    return events.batch
  }

  #collectFrom(
    tail: OrganizationTail,
    live: LiveQueue,
    builder: EventBatchBuilder,
    start: number,
  ): EventBatch | undefined {
    if (!tail.reachesBackTo(start)) return undefined
    for (const entry of tail.after(start)) {
      if (!builder.add(entry)) return builder.partial()
    }
    return this.#complete(builder, live, tail.headSeq)
  }

  #complete(builder: EventBatchBuilder, { queue }: LiveQueue, seenSeq: number): EventBatch {
    const batch = builder.complete(seenSeq)
    if (builder.isOutOfIds) this.#tick(queue.organizationId)
    return batch
  }

  async #collectCurrent(
    reading: Promise<void>,
    live: LiveQueue,
    cursor: number,
    maxCharacters: number,
  ): Promise<EventBatch> {
    await reading.catch((error: unknown) => {
      this.#waiting.add(live)
      throw error
    })
    return this.#collectSlowly(live, cursor, maxCharacters)
  }

  async #collectSlowly(
    live: LiveQueue,
    cursor: number,
    maxCharacters: number,
  ): Promise<EventBatch> {
    const { organizationId } = live.queue
    const tail = await this.logs.open(organizationId)
    await tail.catchUp()
    const builder = new EventBatchBuilder(this.catalogue, live, cursor, maxCharacters)
    // Entries that do not fit into a small response would be read again for the next one.
    const pageSize = Math.ceil((readPageSize * maxCharacters) / maxBatchCharacters)
    let seq = live.startSeq(cursor)
    while (!tail.reachesBackTo(seq)) {
      const records = await this.log.read(organizationId, seq, pageSize)
      // The log has no gaps of its own: missing entries were deleted as too old.
      if (records[0]?.seq !== seq + 1) {
        throw new ChatError('BAD_EVENT_QUEUE_ID', { fields: { queue_id: live.queue.id } })
      }
      for (const record of records) {
        seq = record.seq
        if (!builder.add(await tail.entryOf(record))) return builder.partial()
      }
    }
    for (const entry of tail.after(seq)) {
      if (!builder.add(entry)) return builder.partial()
    }
    return this.#complete(builder, live, Math.max(seq, tail.headSeq))
  }

  #tick(organizationId: number): void {
    this.log.tick(organizationId).catch((error: unknown) => {
      this.logger.warn('Advancing the event log failed', { organizationId, err: error })
    })
  }

  /** Drops the queues of an organization whose log is no longer followed. */
  #removeOrganization(organizationId: number, reason: 'deleted' | 'closing'): void {
    for (const { queue } of this.#live) {
      // This process would no longer be notified if such a queue were deleted.
      if (queue.organizationId === organizationId) this.remove(queue.id, reason)
    }
  }
}
