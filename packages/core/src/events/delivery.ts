import { LRUCache } from 'lru-cache'

import type { Clock, Timer } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import type { EphemeralEvent, EventBus } from './bus.js'
import type { EventCatalogue } from './event-catalogue.js'
import { seqOf } from './event-id.js'
import type { EventLog } from './event-log.js'
import type { EventQueue } from './event-queue.js'
import { LiveQueue } from './live-queue.js'
import { LogEntry, type LogRecord } from './log-entry.js'
import { observationEnded, type LogObservation, type LogObserver } from './log-observer.js'
import { OrganizationTail } from './organization-tail.js'

const maxBatchCharacters = 1_000_000
const readPageSize = 500
const tailIdleMilliseconds = 15 * 60_000
const wakeChunk = 500

/** What a queue's client has not seen yet. */
export interface EventBatch {
  /** JSON texts of events, ids increasing. */
  readonly events: readonly string[]
  /** Whether more waits behind these. */
  readonly hasMore: boolean
}

export interface DeliveryOptions {
  /** How often other processes' commits are looked for, in milliseconds; 0 means never. */
  readonly logPollMilliseconds: number
}

/**
 * Brings committed events to the queues that this process serves.
 *
 * Keeps the tail of each organization's log that has live queues, wakes the polls and sockets that
 * wait for an entry, and reads older entries from the database.
 */
export class EventDelivery implements LogObservation {
  readonly #tails = new Map<number, OrganizationTail>()
  readonly #opening = new Map<number, Promise<OrganizationTail>>()
  readonly #audiences = new LRUCache<number, ReadonlySet<number>>({
    maxSize: 2_000_000,
    sizeCalculation: (userIds) => userIds.size + 1,
  })
  readonly #live = new Map<string, LiveQueue>()
  readonly #byUser = new Map<string, Set<LiveQueue>>()
  readonly #publicFollowers = new Map<number, Set<LiveQueue>>()
  readonly #unsubscribe: () => void
  readonly #observers = new Set<LogObserver>()
  #toWake = new Set<LiveQueue>()
  #waking = false
  #pollTimer: Timer | undefined
  #closed = false

  constructor(
    private readonly log: EventLog,
    private readonly catalogue: EventCatalogue,
    bus: EventBus,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly options: DeliveryOptions,
  ) {
    this.#unsubscribe = bus.subscribe({
      onRecords: (organizationId, records) => this.#admit(organizationId, records),
      onEphemeral: (event) => this.#deliverEphemeral(event),
    })
  }

  observe(observer: LogObserver): () => void {
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  async watch(organizationId: number): Promise<void> {
    await this.#tail(organizationId)
  }

  /** Starts looking for other processes' commits. */
  start(): void {
    this.#schedulePoll()
  }

  /** Releases every consumer; their clients come back, here or to another process. */
  drain(): void {
    for (const live of this.#live.values()) live.consumer?.release('closing')
  }

  /** Releases every consumer and forgets everything. */
  close(): void {
    this.#closed = true
    this.#pollTimer?.cancel()
    this.#unsubscribe()
    this.drain()
    this.#live.clear()
    this.#byUser.clear()
    this.#publicFollowers.clear()
    this.#tails.clear()
  }

  find(queueId: string): LiveQueue | undefined {
    return this.#live.get(queueId)
  }

  /** Starts to serve a queue; the one already served under its id wins. */
  add(live: LiveQueue): LiveQueue {
    const { queue } = live
    const known = this.#live.get(queue.id)
    if (known !== undefined) return known
    this.#live.set(queue.id, live)
    addTo(this.#byUser, userKey(queue), live)
    if (queue.allPublicStreams) addTo(this.#publicFollowers, queue.organizationId, live)
    return live
  }

  /** Stops serving a queue. */
  remove(queueId: string, reason: 'deleted' | 'closing'): void {
    const live = this.#live.get(queueId)
    if (live === undefined) return
    this.#live.delete(queueId)
    removeFrom(this.#byUser, userKey(live.queue), live)
    removeFrom(this.#publicFollowers, live.queue.organizationId, live)
    live.consumer?.release(reason)
  }

  /** The queues that this process serves. */
  liveQueues(): Iterable<LiveQueue> {
    return this.#live.values()
  }

  /** The newest entry that this process can deliver, reading the log if `atLeast` is beyond it. */
  async headSeq(organizationId: number, atLeast: number): Promise<number> {
    const tail = await this.#tail(organizationId)
    if (atLeast > tail.headSeq) {
      const heads = await this.log.headSeqs([organizationId])
      tail.noticeHead(heads.get(organizationId) ?? 0)
      await tail.settled()
    }
    return tail.headSeq
  }

  /** Everything after `cursor` for a queue's client. Answers at once when nothing must be read. */
  collect(live: LiveQueue, cursor: number): EventBatch | Promise<EventBatch> {
    const now = this.clock.now()
    live.usedAtMilliseconds = now
    live.noteId(cursor)
    const tail = this.#tails.get(live.queue.organizationId)
    if (tail !== undefined && tail.headSeq >= 0 && tail.settled() === undefined) {
      tail.usedAtMilliseconds = now
      const batch = this.#collectFrom(tail, live, cursor)
      if (batch !== undefined) return batch
    }
    return this.#collectSlowly(live, cursor)
  }

  /** An id for an event of this one queue that is in no log, or undefined when none is free. */
  ephemeralId(live: LiveQueue): number | undefined {
    const tail = this.#tails.get(live.queue.organizationId)
    const seen = Math.max(live.queue.createdSeq, Math.min(live.clean.toSeq, tail?.headSeq ?? 0))
    const id = live.nextEphemeralId(seen)
    if (id === undefined) this.#tick(live.queue.organizationId)
    return id
  }

  #collectFrom(tail: OrganizationTail, live: LiveQueue, cursor: number): EventBatch | undefined {
    const start = live.startSeq(cursor)
    if (!tail.reachesBackTo(start)) return undefined
    const events: string[] = []
    let characters = 0
    for (const entry of tail.after(start)) {
      characters += this.#append(events, entry, live, cursor)
      if (characters > maxBatchCharacters) return { events, hasMore: true }
    }
    return this.#finish(events, live, cursor, tail.headSeq)
  }

  async #collectSlowly(live: LiveQueue, cursor: number): Promise<EventBatch> {
    const tail = await this.#tail(live.queue.organizationId)
    await tail.settled()
    const events: string[] = []
    let characters = 0
    let seq = live.startSeq(cursor)
    while (!tail.reachesBackTo(seq)) {
      const records = await this.log.read(live.queue.organizationId, seq, readPageSize)
      if (records.length === 0) break
      for (const record of records) {
        characters += this.#append(events, await tail.entryOf(record), live, cursor)
        seq = record.seq
        if (characters > maxBatchCharacters) return { events, hasMore: true }
      }
    }
    for (const entry of tail.after(seq)) {
      characters += this.#append(events, entry, live, cursor)
      if (characters > maxBatchCharacters) return { events, hasMore: true }
    }
    return this.#finish(events, live, cursor, Math.max(seq, tail.headSeq))
  }

  #append(events: string[], entry: LogEntry, live: LiveQueue, cursor: number): number {
    if (entry.seq <= live.queue.createdSeq || entry.seq < seqOf(cursor)) return 0
    if (!this.catalogue.isWanted(entry, live.queue)) return 0
    const before = events.length
    const lastId = this.catalogue.append(events, entry, live.queue, cursor)
    if (lastId === undefined) return 0
    live.noteId(lastId)
    let characters = 0
    for (let index = before; index < events.length; index += 1) {
      characters += (events[index] as string).length
    }
    return characters
  }

  #finish(events: string[], live: LiveQueue, cursor: number, seenSeq: number): EventBatch {
    // Only a look that found nothing says that nothing lies between the cursor and the head.
    if (events.length === 0) live.noteClean(cursor, seenSeq)
    live.takeEphemerals(events, seenSeq)
    return { events, hasMore: false }
  }

  #admit(organizationId: number, records: readonly LogRecord[]): void {
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
        this.#report(organizationId, entry.kind, entry.data)
        this.#wakeFor(organizationId, entry)
      },
      (error) => this.logger.warn('Reading the event log failed', { organizationId, error }),
    )
    tail.usedAtMilliseconds = this.clock.now()
    // Registered before its head is read, so that no commit in between is missed.
    this.#tails.set(organizationId, tail)
    try {
      await tail.open()
    } catch (error) {
      this.#tails.delete(organizationId)
      throw error
    }
    return tail
  }

  #report(organizationId: number, kind: string, data: unknown): void {
    for (const observer of this.#observers) observer(organizationId, kind, data)
  }

  #wakeFor(organizationId: number, entry: LogEntry): void {
    if (entry.recipientCount < this.#byUser.size) {
      for (const userId of entry.recipients()) {
        const queues = this.#byUser.get(`${organizationId}/${userId}`)
        if (queues !== undefined) for (const live of queues) this.#wake(live)
      }
    } else {
      for (const queues of this.#byUser.values()) {
        for (const live of queues) {
          if (live.queue.organizationId !== organizationId) break
          if (entry.isFor(live.queue.userId)) this.#wake(live)
        }
      }
    }
    if (entry.includesPublicFollowers) {
      for (const live of this.#publicFollowers.get(organizationId) ?? []) this.#wake(live)
    }
  }

  /** Wakes consumers in the next turn, so that what commits together is delivered together. */
  #wake(live: LiveQueue): void {
    if (live.consumer === undefined) return
    this.#toWake.add(live)
    if (this.#waking) return
    this.#waking = true
    setImmediate(() => this.#wakeChunk())
  }

  /** A bounded number a turn, so that the host's event loop is never held for long. */
  #wakeChunk(): void {
    let left = wakeChunk
    for (const live of this.#toWake) {
      this.#toWake.delete(live)
      live.consumer?.wake()
      left -= 1
      if (left === 0) break
    }
    this.#waking = this.#toWake.size > 0
    if (this.#waking) setImmediate(() => this.#wakeChunk())
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
    const entry = new LogEntry(record, undefined)
    for (const userId of event.userIds) {
      for (const live of this.#byUser.get(`${event.organizationId}/${userId}`) ?? []) {
        if (!this.catalogue.isWanted(entry, live.queue)) continue
        for (const text of this.catalogue.texts(entry, live.queue)) live.hold(text)
        this.#wake(live)
      }
    }
  }

  #tick(organizationId: number): void {
    this.log.tick(organizationId).catch((error: unknown) => {
      this.logger.warn('Advancing the event log failed', { organizationId, error })
    })
  }

  #schedulePoll(): void {
    if (this.#closed || this.options.logPollMilliseconds === 0) return
    this.#pollTimer = this.clock.setTimeout(() => {
      this.#pollHeads()
        .catch((error: unknown) => this.logger.warn('Polling the event log failed', { error }))
        .finally(() => this.#schedulePoll())
    }, this.options.logPollMilliseconds)
  }

  async #pollHeads(): Promise<void> {
    const idleBefore = this.clock.now() - tailIdleMilliseconds
    for (const [organizationId, tail] of this.#tails) {
      if (tail.usedAtMilliseconds >= idleBefore) continue
      this.#tails.delete(organizationId)
      this.#report(organizationId, observationEnded, undefined)
    }
    if (this.#tails.size === 0) return
    const heads = await this.log.headSeqs([...this.#tails.keys()])
    for (const [organizationId, seq] of heads) this.#tails.get(organizationId)?.noticeHead(seq)
  }
}

function userKey(queue: EventQueue): string {
  return `${queue.organizationId}/${queue.userId}`
}

function addTo<Key>(map: Map<Key, Set<LiveQueue>>, key: Key, live: LiveQueue): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([live]))
  else set.add(live)
}

function removeFrom<Key>(map: Map<Key, Set<LiveQueue>>, key: Key, live: LiveQueue): void {
  const set = map.get(key)
  if (set?.delete(live) === true && set.size === 0) map.delete(key)
}
