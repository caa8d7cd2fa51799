import { firstIdOf, seqOf } from '../event-id.js'
import type { EventQueue } from './event-queue.js'

const maxHeldEphemerals = 200
const maxRememberedReplies = 100

/** The consumer that a queue is currently served to: a waiting poll or a socket. */
export interface QueueConsumer {
  /**
   * Whether it was opened through a session of the application, without credentials of the chat.
   */
  readonly isBySession: boolean
  /** Called when new events may be available. */
  wake(): void
  /** Called after all consumers of a tick of the event loop were woken: sends the found events. */
  send(): void
  /** Called when the queue is no longer served to this consumer. */
  release(reason: ReleaseReason): void
}

/**
 * Another consumer takes over, the queue was deleted, the client's credentials were revoked, the
 * application's session has ended, or the server closes.
 */
export type ReleaseReason = 'superseded' | 'deleted' | 'signedOut' | 'sessionEnded' | 'closing'

/** An event that is not in the log, buffered until the queue's client asks. */
interface HeldEphemeral {
  /** JSON without closing brace. */
  readonly text: string
  /** The newest entry that the process had seen when the event was accepted. */
  readonly afterSeq: number
}

/** The position of a queue's client, as it is stored in the queue's row. */
export interface QueueUse {
  /** The newest id that the client has acknowledged. */
  readonly acknowledgedId: number
  /** There is nothing for the queue between this event id and the end of this entry. */
  readonly scanned: { readonly fromId: number; readonly toSeq: number }
}

/** The use of a queue that starts after entry `createdSeq`. */
export function unused(createdSeq: number): QueueUse {
  const fromId = firstIdOf(createdSeq)
  return { acknowledgedId: fromId, scanned: { fromId, toSeq: createdSeq } }
}

/** The state of a queue that this process serves; all of it can be dropped at any time. */
export class LiveQueue {
  consumer: QueueConsumer | undefined
  /** When the use was last written to the queue's row, in clock milliseconds. */
  savedAtMilliseconds: number
  /** When this process last served a client from it, in clock milliseconds. */
  usedAtMilliseconds: number
  /**
   * The largest id that this process has issued for the queue, or that the client has acknowledged.
   */
  #lastId: number
  #acknowledgedId: number
  /** There is nothing for the queue between this id and the end of entry {@link #scannedToSeq}. */
  #scannedFromId: number
  #scannedToSeq: number
  /** Likewise from an id that the client has not acknowledged; not stored in the queue's row. */
  #sentFromId = Infinity
  #sentToSeq = 0
  /** The last ids of replies that the client has not acknowledged; most queues have none. */
  #replyEnds: number[] | undefined
  /** In the order of their positions; most queues have none. */
  #ephemerals: HeldEphemeral[] | undefined

  constructor(
    readonly queue: EventQueue,
    use: QueueUse,
    savedAtMilliseconds: number,
    /** Whether the use in the queue's row was last written by another process. */
    public isNotedElsewhere = false,
  ) {
    this.#scannedFromId = use.scanned.fromId
    this.#scannedToSeq = use.scanned.toSeq
    this.#acknowledgedId = use.acknowledgedId
    this.#lastId = use.acknowledgedId
    this.savedAtMilliseconds = savedAtMilliseconds
    this.usedAtMilliseconds = savedAtMilliseconds
  }

  /** The newest entry that was scanned. */
  get seenSeq(): number {
    return Math.max(this.#scannedToSeq, this.#sentToSeq)
  }

  /** The state that another process needs to continue from here. */
  get use(): QueueUse {
    const scanned = { fromId: this.#scannedFromId, toSeq: this.#scannedToSeq }
    return { acknowledgedId: this.#acknowledgedId, scanned }
  }

  /** The newest id that the client has acknowledged. */
  get acknowledgedId(): number {
    return this.#acknowledgedId
  }

  /** The largest id that this process has issued. */
  get lastId(): number {
    return this.#lastId
  }

  acknowledge(eventId: number): void {
    if (eventId > this.#acknowledgedId) this.#acknowledgedId = eventId
    if (this.#isAfterSent(eventId)) {
      this.markScanned(eventId, this.#sentToSeq)
      this.#sentFromId = Infinity
    }
    if (this.#replyEnds !== undefined) {
      const ends = this.#replyEnds.filter((end) => end > eventId)
      this.#replyEnds = ends.length === 0 ? undefined : ends
    }
    this.noteId(eventId)
  }

  /** Records that a reply ended with `eventId`: its events are not merged any more. */
  noteReply(eventId: number): void {
    this.#replyEnds ??= []
    if (this.#replyEnds.includes(eventId)) return
    this.#replyEnds.push(eventId)
    if (this.#replyEnds.length > maxRememberedReplies) this.#replyEnds.shift()
  }

  /** Whether a recorded reply ended with one of the events from `olderId` to `newerId`. */
  hasRepliedBetween(olderId: number, newerId: number): boolean {
    return this.#replyEnds?.some((end) => end >= olderId && end < newerId) ?? false
  }

  /** Whether this process has a record that `eventId` was issued to the queue's client. */
  hasIssued(eventId: number): boolean {
    return eventId <= this.#lastId && eventId >= this.#acknowledgedId
  }

  /** The entry after which a reader at `cursor` continues. */
  startSeq(cursor: number): number {
    // The cursor's own entry may have yielded several events, of which only some were delivered.
    const own = Math.max(this.queue.createdSeq, seqOf(cursor) - 1)
    if (this.#isAfterSent(cursor)) return Math.max(own, this.#sentToSeq)
    return this.#isScanned(cursor) ? Math.max(own, this.#scannedToSeq) : own
  }

  /** Records that there is nothing between event `id` and the end of entry `seq`. */
  markScanned(id: number, seq: number): void {
    // The client may request again the events before one that it has not acknowledged.
    if (id > this.#acknowledgedId) {
      if (!this.#isAfterSent(id)) this.#sentFromId = id
      this.#sentToSeq = seq
    } else {
      if (!this.#isScanned(id)) this.#scannedFromId = id
      this.#scannedToSeq = seq
    }
  }

  #isScanned(cursor: number): boolean {
    return cursor >= this.#scannedFromId && seqOf(cursor) <= this.#scannedToSeq
  }

  #isAfterSent(cursor: number): boolean {
    return cursor >= this.#sentFromId && seqOf(cursor) <= this.#sentToSeq
  }

  noteId(eventId: number): void {
    if (eventId > this.#lastId) this.#lastId = eventId
  }

  /** Whether an event is buffered that is not in the log. */
  get holdsEphemerals(): boolean {
    return this.#ephemerals !== undefined
  }

  /** Buffers an event that is not in the log; its position is after entry `afterSeq`. */
  bufferEphemeral(text: string, afterSeq: number): void {
    this.#ephemerals ??= []
    if (this.#ephemerals.length < maxHeldEphemerals) this.#ephemerals.push({ text, afterSeq })
  }

  /**
   * Appends the buffered events whose position is before entry `beforeSeq` to `into`, with ids
   * between the last issued one and that entry.
   *
   * @returns the last id used, or undefined if there was none; and whether an event was dropped
   *   because all ids up to the entry are used.
   */
  takeEphemerals(
    into: string[],
    beforeSeq: number,
  ): { readonly lastId: number | undefined; readonly isOutOfIds: boolean } {
    const held = this.#ephemerals ?? []
    let taken = 0
    let lastId: number | undefined
    let isOutOfIds = false
    for (const { text, afterSeq } of held) {
      if (afterSeq >= beforeSeq) break
      taken += 1
      const id = this.#freeId(afterSeq, beforeSeq)
      if (id === undefined) isOutOfIds = true
      else {
        into.push(`${text},"id":${id}}`)
        lastId = id
      }
    }
    if (taken > 0) this.#ephemerals = taken === held.length ? undefined : held.slice(taken)
    return { lastId, isOutOfIds }
  }

  /** An id after all issued ones and before entry `seenSeq + 1`; undefined if none is left. */
  nextEphemeralId(seenSeq: number): number | undefined {
    return this.#freeId(seenSeq, seenSeq + 1)
  }

  #freeId(afterSeq: number, beforeSeq: number): number | undefined {
    const id = Math.max(this.#lastId, firstIdOf(afterSeq)) + 1
    if (id >= firstIdOf(beforeSeq)) return undefined
    this.#lastId = id
    return id
  }
}
