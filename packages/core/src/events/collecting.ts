import type { EventCatalogue } from './event-catalogue.js'
import { seqOf } from './event-id.js'
import type { LiveQueue } from './live-queue.js'
import type { LogEntry } from './log-entry.js'

const maxBatchCharacters = 1_000_000

/** What a queue's client has not seen yet. */
export interface EventBatch {
  /** JSON texts of events, ids increasing. */
  readonly events: readonly string[]
  /** The id of the last of them; the reader's own place if there is none. */
  readonly lastId: number
  /** Whether more waits behind these. */
  readonly hasMore: boolean
}

/** The events of one look into the log for one queue. */
export class Collecting {
  readonly #events: string[] = []
  #characters = 0
  #lastId: number

  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly live: LiveQueue,
    private readonly cursor: number,
  ) {
    this.#lastId = cursor
  }

  /** @returns false when it is enough for one answer. */
  take(entry: LogEntry): boolean {
    const { queue } = this.live
    if (entry.seq <= queue.createdSeq || entry.seq < seqOf(this.cursor)) return true
    if (!this.catalogue.isWanted(entry, queue)) return true
    const before = this.#events.length
    const lastId = this.catalogue.append(this.#events, entry, queue, this.cursor)
    if (lastId === undefined) return true
    this.#lastId = lastId
    this.live.noteId(lastId)
    for (let index = before; index < this.#events.length; index += 1) {
      this.#characters += (this.#events[index] as string).length
    }
    return this.#characters <= maxBatchCharacters
  }

  part(): EventBatch {
    return { events: this.#events, lastId: this.#lastId, hasMore: true }
  }

  /** Everything up to entry `seenSeq` was looked at. */
  whole(seenSeq: number): EventBatch {
    // Only a look that found nothing says that nothing lies between the cursor and the head.
    if (this.#events.length === 0) this.live.noteClean(this.cursor, seenSeq)
    const lastId = this.live.takeEphemerals(this.#events, seenSeq) ?? this.#lastId
    return { events: this.#events, lastId, hasMore: false }
  }
}
