import { firstIdOf, seqOf } from './event-id.js'
import type { EventQueue } from './event-queue.js'

const maxHeldEphemerals = 200
const maxRememberedReplies = 100

/** Whoever is served from a queue at the moment: a parked poll or a socket. */
export interface QueueConsumer {
  /** Whether the application's own session vouches for it, and no credentials of the chat. */
  readonly isBySession: boolean
  /** Something may have arrived. */
  wake(): void
  /** The queue is no longer served to this consumer. */
  release(reason: ReleaseReason): void
}

/**
 * Another consumer takes over, the queue was deleted, what the client signed in with is no longer
 * good, the application's session has ended, or the server closes.
 */
export type ReleaseReason = 'superseded' | 'deleted' | 'signedOut' | 'sessionEnded' | 'closing'

/** An event that is in no log, and waits for the queue's client to ask. */
interface HeldEphemeral {
  /** JSON without closing brace. */
  readonly text: string
  /** The newest entry that the process knew of when the event was accepted. */
  readonly afterSeq: number
}

/** How far a queue's client has come, as its row remembers it. */
export interface QueueUse {
  /** The newest id that the client has shown to have. */
  readonly acknowledgedId: number
  /** Between this event id and the end of this entry there is nothing for the queue. */
  readonly scanned: { readonly fromId: number; readonly toSeq: number }
}

/** The use of a queue that starts after entry `createdSeq`. */
export function unused(createdSeq: number): QueueUse {
  const fromId = firstIdOf(createdSeq)
  return { acknowledgedId: fromId, scanned: { fromId, toSeq: createdSeq } }
}

/** What a process remembers of a queue that it serves; all of it may be forgotten at any time. */
export class LiveQueue {
  consumer: QueueConsumer | undefined
  /** When the use was last written to the queue's row, in clock milliseconds. */
  savedAtMilliseconds: number
  /** When this process last served a client from it, in clock milliseconds. */
  usedAtMilliseconds: number
  /** The largest id that this process has given out for the queue, or that the client has shown. */
  #lastId: number
  #acknowledgedId: number
  /** Between this id and the end of entry {@link #scannedToSeq} there is nothing for the queue. */
  #scannedFromId: number
  #scannedToSeq: number
  /** The last ids of replies that the client has not shown to have; few queues ever have any. */
  #replyEnds: number[] | undefined
  /** In the order of their places; few queues ever have any. */
  #ephemerals: HeldEphemeral[] | undefined

  constructor(
    readonly queue: EventQueue,
    use: QueueUse,
    savedAtMilliseconds: number,
    /** Whether the row's last note of a use is of another process. */
    public isNotedElsewhere = false,
  ) {
    this.#scannedFromId = use.scanned.fromId
    this.#scannedToSeq = use.scanned.toSeq
    this.#acknowledgedId = use.acknowledgedId
    this.#lastId = use.acknowledgedId
    this.savedAtMilliseconds = savedAtMilliseconds
    this.usedAtMilliseconds = savedAtMilliseconds
  }

  get scanned(): QueueUse['scanned'] {
    return { fromId: this.#scannedFromId, toSeq: this.#scannedToSeq }
  }

  /** What another process needs to go on from here. */
  get use(): QueueUse {
    return { acknowledgedId: this.#acknowledgedId, scanned: this.scanned }
  }

  /** The newest id that the client has shown to have. */
  get acknowledgedId(): number {
    return this.#acknowledgedId
  }

  /** The largest id that this process has given out. */
  get lastId(): number {
    return this.#lastId
  }

  acknowledge(eventId: number): void {
    if (eventId > this.#acknowledgedId) this.#acknowledgedId = eventId
    if (this.#replyEnds !== undefined) {
      const ends = this.#replyEnds.filter((end) => end > eventId)
      this.#replyEnds = ends.length === 0 ? undefined : ends
    }
    this.noteId(eventId)
  }

  /** Notes that a reply was handed out that ends with `eventId`: events in it merge no more. */
  noteReply(eventId: number): void {
    this.#replyEnds ??= []
    if (this.#replyEnds.includes(eventId)) return
    this.#replyEnds.push(eventId)
    if (this.#replyEnds.length > maxRememberedReplies) this.#replyEnds.shift()
  }

  /** Whether a reply is remembered that ended with one of the events from `olderId` to `newerId`. */
  hasRepliedBetween(olderId: number, newerId: number): boolean {
    return this.#replyEnds?.some((end) => end >= olderId && end < newerId) ?? false
  }

  /** Whether this process knows `eventId` to be one that the queue's client can have. */
  hasIssued(eventId: number): boolean {
    return eventId <= this.#lastId && eventId >= this.#acknowledgedId
  }

  /** The entry after which a reader at `cursor` has to look. */
  startSeq(cursor: number): number {
    // The cursor's own entry may have become several events, of which only some were taken.
    const own = Math.max(this.queue.createdSeq, seqOf(cursor) - 1)
    const isScanned = cursor >= this.#scannedFromId && seqOf(cursor) <= this.#scannedToSeq
    return isScanned ? Math.max(own, this.#scannedToSeq) : own
  }

  /** Notes that a reader at `cursor` found nothing up to and including entry `seq`. */
  markScanned(cursor: number, seq: number): void {
    const extendsKnown = cursor >= this.#scannedFromId && seqOf(cursor) <= this.#scannedToSeq
    if (!extendsKnown) this.#scannedFromId = cursor
    this.#scannedToSeq = seq
  }

  noteId(eventId: number): void {
    if (eventId > this.#lastId) this.#lastId = eventId
  }

  /** Keeps an event that is in no log; its place is behind entry `afterSeq`. */
  bufferEphemeral(text: string, afterSeq: number): void {
    this.#ephemerals ??= []
    if (this.#ephemerals.length < maxHeldEphemerals) this.#ephemerals.push({ text, afterSeq })
  }

  /**
   * Appends the held events whose place is before entry `beforeSeq` to `into`, under ids between
   * what was given out and that entry.
   *
   * @returns the last id given, or undefined if there was none; and whether an event was dropped
   *   because all ids up to the entry are used up.
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

  /** An id after everything given out and before entry `seenSeq + 1`; undefined when used up. */
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
