import { LRUCache } from 'lru-cache'

import { ChatError } from '../errors/index.js'
import type { Clock, Timer } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import type { EphemeralEvent, EventBus } from './bus.js'
import { EventBatchBuilder, maxBatchCharacters, type EventBatch } from './event-batch-builder.js'
import type { EventCatalogue } from './event-catalogue.js'
import type { EventLog } from './event-log.js'
import type { LiveQueue } from './live-queue.js'
import { LiveQueues } from './live-queues.js'
import { LogEntry, type LogRecord } from './log-entry.js'
import { observationEnded, type LogObservation, type LogObserver } from './log-observer.js'
import { OrganizationTail } from './organization-tail.js'
import { TailMemory } from './tail-memory.js'
import { erasesTexts, withdrawsTexts } from './text-changes.js'
import { WakeScheduler } from './wake-scheduler.js'

const readPageSize = 500
const tailIdleMilliseconds = 15 * 60_000

export interface DeliveryOptions {
  /** Interval of polling for other processes' commits, in milliseconds; 0 means never. */
  readonly logPollMilliseconds: number
  /** Memory limit for the tails of all organizations, in bytes. @default 64 MiB */
  readonly maxTailBytes?: number
}

/**
 * Delivers committed events to the queues that this process serves.
 *
 * Keeps the tail of each organization's log that has live queues, wakes the polls and sockets that
 * wait for an entry, and reads older entries from the database.
 */
export class EventDelivery implements LogObservation {
  readonly #tails = new Map<number, OrganizationTail>()
  readonly #tailMemory: TailMemory
  readonly #opening = new Map<number, Promise<OrganizationTail>>()
  readonly #audiences = new LRUCache<number, ReadonlySet<number>>({
    maxSize: 2_000_000,
    sizeCalculation: (userIds) => userIds.size + 1,
  })
  readonly #live = new LiveQueues()
  readonly #wakeScheduler = new WakeScheduler()
  readonly #unsubscribe: () => void
  readonly #observers = new Map<LogObserver, ((kind: string) => boolean) | undefined>()
  #pollTimer: Timer | undefined
  #pollFails = false
  #state: 'open' | 'draining' | 'closed' = 'open'

  constructor(
    private readonly log: EventLog,
    private readonly catalogue: EventCatalogue,
    bus: EventBus,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly options: DeliveryOptions,
  ) {
    this.#tailMemory = new TailMemory(options.maxTailBytes)
    this.#unsubscribe = bus.subscribe({
      onRecords: (organizationId, records) => this.#admit(organizationId, records),
      onEphemeral: (event) => this.#deliverEphemeral(event),
    })
  }

  observe(observer: LogObserver, isRemembered?: (kind: string) => boolean): () => void {
    this.#observers.set(observer, isRemembered)
    return () => this.#observers.delete(observer)
  }

  /** Whether a record of this kind invalidates something that this process caches. */
  changesMemory(kind: string): boolean {
    return [...this.#observers.values()].some((isRemembered) => isRemembered?.(kind) === true)
  }

  async watch(organizationId: number): Promise<void> {
    await this.#tail(organizationId)
  }

  /**
   * Processes an organization's log up to a committed entry, so that caches are invalidated.
   * Nothing is cached for an organization whose log is not followed.
   */
  async catchUp(organizationId: number, seq: number): Promise<void> {
    const tail = this.#tails.get(organizationId)
    if (tail === undefined || tail.headSeq >= seq) return
    tail.raiseHead(seq)
    await tail.catchUp()
  }

  /** Starts to poll for other processes' commits. */
  start(): void {
    this.#schedulePoll()
  }

  /** Whether clients may wait here; if not, they should connect to another process. */
  get takesWaiters(): boolean {
    return this.#state === 'open'
  }

  /** Releases every consumer and accepts no new ones; clients reconnect, here or elsewhere. */
  drain(): void {
    if (this.#state === 'open') this.#state = 'draining'
    for (const live of this.#live) live.consumer?.release('closing')
  }

  /** Releases every consumer and drops all state. */
  close(): void {
    this.#state = 'closed'
    this.#pollTimer?.cancel()
    this.#unsubscribe()
    this.drain()
    this.#live.clear()
    for (const tail of this.#tails.values()) tail.close()
    this.#tails.clear()
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
    this.#live.remove(queueId)?.consumer?.release(reason)
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

  /** The newest entry that this process can deliver, reading the log if `atLeast` is beyond it. */
  async headSeq(organizationId: number, atLeast: number): Promise<number> {
    const tail = await this.#tail(organizationId)
    if (atLeast > tail.headSeq) {
      const heads = await this.log.headSeqs([organizationId])
      tail.raiseHead(heads.get(organizationId) ?? 0)
      await tail.catchUp()
    }
    return tail.headSeq
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
    const tail = this.#tails.get(live.queue.organizationId)
    if (tail !== undefined && tail.headSeq >= 0 && tail.catchUp() === undefined) {
      tail.usedAtMilliseconds = this.clock.now()
      const batch = this.#collectFrom(
        tail,
        live,
        new EventBatchBuilder(this.catalogue, live, cursor, maxCharacters),
        live.startSeq(cursor),
      )
      if (batch !== undefined) return batch
    }
    return this.#collectSlowly(live, cursor, maxCharacters)
  }

  /** An id for an event of this queue that is not in the log; undefined when none is free. */
  ephemeralId(live: LiveQueue): number | undefined {
    const tail = this.#tails.get(live.queue.organizationId)
    const seen = Math.max(live.queue.createdSeq, Math.min(live.scanned.toSeq, tail?.headSeq ?? 0))
    const id = live.nextEphemeralId(seen)
    if (id === undefined) this.#tick(live.queue.organizationId)
    return id
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

  async #collectSlowly(
    live: LiveQueue,
    cursor: number,
    maxCharacters: number,
  ): Promise<EventBatch> {
    const { organizationId } = live.queue
    const tail = await this.#tail(organizationId)
    await tail.catchUp()
    const builder = new EventBatchBuilder(this.catalogue, live, cursor, maxCharacters)
    // Entries that do not fit into a small response would be read again for the next one.
    const pageSize = Math.ceil((readPageSize * maxCharacters) / maxBatchCharacters)
    let seq = live.startSeq(cursor)
    while (!tail.reachesBackTo(seq)) {
      const records = await this.log.read(organizationId, seq, pageSize)
      // The log has no gaps of its own: missing entries were deleted as too old.
      if (records[0]?.seq !== seq + 1) throw badQueue(live)
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

  #admit(organizationId: number, records: readonly LogRecord[]): void {
    // Observers are called at once, so that caches are invalidated before the response to the write,
    // and again when the entry is in order in the tail. They must therefore be idempotent.
    for (const { kind, data } of records) this.#report(organizationId, kind, data)
    this.#tails.get(organizationId)?.admit(records)
  }

  async #tail(organizationId: number): Promise<OrganizationTail> {
    const known = this.#tails.get(organizationId)
    if (known !== undefined && known.headSeq >= 0) {
      known.usedAtMilliseconds = this.clock.now()
      return known
    }
    let opening = this.#opening.get(organizationId)
    if (opening === undefined) {
      opening = this.#openTail(organizationId).finally(() => this.#opening.delete(organizationId))
      this.#opening.set(organizationId, opening)
    }
    return opening
  }

  async #openTail(organizationId: number): Promise<OrganizationTail> {
    const tail = new OrganizationTail(
      organizationId,
      this.log,
      this.#audiences,
      (entry) => {
        this.#changeTexts(tail, entry)
        this.#report(organizationId, entry.kind, entry.data)
        for (const live of this.#live.concernedBy(organizationId, entry))
          this.#wakeScheduler.add(live)
      },
      (error) => this.logger.warn('Reading the event log failed', { organizationId, err: error }),
      this.#tailMemory,
    )
    tail.usedAtMilliseconds = this.clock.now()
    // Registered before its head is read, so that no commit in between is missed.
    this.#tails.set(organizationId, tail)
    try {
      await tail.open()
    } catch (error) {
      tail.close()
      this.#tails.delete(organizationId)
      throw error
    }
    return tail
  }

  /** Removes texts that were removed from the log, for all users or for some. */
  #changeTexts(tail: OrganizationTail, entry: LogEntry): void {
    if (erasesTexts(entry)) {
      for (const changed of tail.among(entry.data.seqs)) {
        changed.erase(this.catalogue.withoutText(changed.kind, changed.data))
      }
    }
    if (withdrawsTexts(entry)) {
      const { seqs, endsFollowing } = entry.data
      for (const changed of tail.among(seqs)) changed.withdrawFrom(entry, endsFollowing)
    }
  }

  #report(organizationId: number, kind: string, data: unknown): void {
    for (const observer of this.#observers.keys()) observer(organizationId, kind, data)
  }

  #deliverEphemeral(event: EphemeralEvent): void {
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
    const afterSeq = this.#tails.get(event.organizationId)?.knownSeq ?? 0
    for (const userId of event.userIds) {
      for (const live of this.#live.ofUser(event.organizationId, userId)) {
        if (!this.catalogue.isWanted(entry, live.queue)) continue
        for (const text of this.catalogue.texts(entry, live.queue))
          live.bufferEphemeral(text, afterSeq)
        this.#wakeScheduler.add(live)
      }
    }
  }

  #tick(organizationId: number): void {
    this.log.tick(organizationId).catch((error: unknown) => {
      this.logger.warn('Advancing the event log failed', { organizationId, err: error })
    })
  }

  #schedulePoll(): void {
    if (this.#state === 'closed' || this.options.logPollMilliseconds === 0) return
    this.#pollTimer = this.clock.setTimeout(() => {
      this.#pollHeads()
        .then(
          () => {
            this.#pollFails = false
          },
          (error: unknown) => {
            // Once per outage, not on every poll.
            if (!this.#pollFails) this.logger.warn('Polling the event log failed', { err: error })
            this.#pollFails = true
          },
        )
        .finally(() => this.#schedulePoll())
    }, this.options.logPollMilliseconds)
  }

  async #pollHeads(): Promise<void> {
    this.#dropUnusedTails()
    if (this.#tails.size === 0) return
    const known = [...this.#tails].map(([id, { headSeq }]) => [id, headSeq] as const)
    const heads = await this.log.headSeqs(known.map(([id]) => id))
    for (const [organizationId, knownSeq] of known) {
      const head = heads.get(organizationId)
      // A log only grows: this organization was deleted, and its id may be reused.
      if (head === undefined || head < knownSeq) this.#dropTail(organizationId, 'deleted')
      else this.#tails.get(organizationId)?.raiseHead(head)
    }
  }

  /** Stops following the logs that no client has used for a while, and drops their queues. */
  #dropUnusedTails(): void {
    const idleBefore = this.clock.now() - tailIdleMilliseconds
    for (const [organizationId, tail] of this.#tails) {
      if (tail.usedAtMilliseconds < idleBefore) this.#dropTail(organizationId, 'closing')
    }
  }

  #dropTail(organizationId: number, reason: 'deleted' | 'closing'): void {
    this.#tails.get(organizationId)?.close()
    this.#tails.delete(organizationId)
    for (const { queue } of this.#live) {
      // This process would no longer be notified if such a queue were deleted.
      if (queue.organizationId === organizationId) this.remove(queue.id, reason)
    }
    this.#report(organizationId, observationEnded, undefined)
  }
}

function badQueue({ queue }: LiveQueue): ChatError {
  return new ChatError('BAD_EVENT_QUEUE_ID', { fields: { queue_id: queue.id } })
}
