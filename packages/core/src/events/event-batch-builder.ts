import type { MergingDefinition } from './event.js'
import type { EventCatalogue } from './event-catalogue.js'
import { firstIdOf, seqOf } from './event-id.js'
import type { LiveQueue } from './live-queue.js'
import type { LogEntry } from './log-entry.js'

/** How much one answer has at most, or one event that is longer. */
export const maxBatchCharacters = 1_000_000

/** What a queue's client has not seen yet. */
export interface EventBatch {
  /** JSON texts of events, ids increasing. */
  readonly events: readonly string[]
  /** The id of the last of them; the reader's own place if there is none. */
  readonly lastId: number
  /** Whether more waits behind these. */
  readonly hasMore: boolean
}

/** A pending event that may become one with others. */
interface Mergeable {
  readonly entry: LogEntry
  readonly definition: MergingDefinition
  readonly id: number
  /** Where its text is among the events. */
  readonly index: number
}

/**
 * The events of one look into the log for one queue.
 *
 * Pending events merge where their kind says so: the merged one has the newest's id and place. What
 * a reply has handed out stays as it was for as long as this process remembers the reply; after
 * that it may come merged when it is asked for again, which says the same.
 */
export class EventBatchBuilder {
  readonly #events: string[] = []
  #mergeables: Mergeable[] | undefined
  #characters = 0
  #hasEntries = false
  /** Whether an event that is in no log was dropped, because no id was left for it. */
  isOutOfIds = false
  #lastId: number

  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly live: LiveQueue,
    private readonly cursor: number,
    private readonly maxCharacters: number,
  ) {
    this.#lastId = cursor
  }

  /** @returns false when it is enough for one answer. */
  add(entry: LogEntry): boolean {
    const { queue } = this.live
    if (entry.seq <= queue.createdSeq || entry.seq < seqOf(this.cursor)) return true
    if (!this.catalogue.isWanted(entry, queue)) return true
    // An entry that was given out before, here or elsewhere, has no ids left before it.
    if (this.live.lastId < firstIdOf(entry.seq)) this.#takeEphemerals(entry.seq)
    const before = this.#events.length
    const lastId = this.catalogue.append(this.#events, entry, queue, this.cursor)
    if (lastId === undefined) return true
    this.#hasEntries = true
    this.#lastId = lastId
    this.live.noteId(lastId)
    const definition = this.catalogue.merging(entry)
    if (definition !== undefined) {
      this.#mergeables ??= []
      this.#mergeables.push({ entry, definition, id: lastId, index: before })
    }
    for (let index = before; index < this.#events.length; index += 1) {
      this.#characters += (this.#events[index] as string).length
    }
    return this.#characters <= this.maxCharacters
  }

  partial(): EventBatch {
    return { events: this.#reply(), lastId: this.#lastId, hasMore: true }
  }

  /** @param seenSeq the last entry that was scanned. */
  complete(seenSeq: number): EventBatch {
    // Without entries for this queue, nothing lies between the cursor and the last scanned entry.
    if (!this.#hasEntries) this.live.markScanned(this.cursor, seenSeq)
    this.#takeEphemerals(seenSeq + 1)
    return { events: this.#reply(), lastId: this.#lastId, hasMore: false }
  }

  /** What is in no log keeps its place among the entries: before the first one that came later. */
  #takeEphemerals(beforeSeq: number): void {
    const { lastId, isOutOfIds } = this.live.takeEphemerals(this.#events, beforeSeq)
    if (lastId !== undefined) this.#lastId = lastId
    if (isOutOfIds) this.isOutOfIds = true
  }

  #reply(): string[] {
    if (this.#mergeables === undefined) return this.#events
    this.live.noteReply(this.#lastId)
    for (const run of this.#runs(this.#mergeables)) {
      if (run.length === 1) continue
      const { definition, id, index } = run.at(-1) as Mergeable
      const event = definition.merging.merge(run.map(({ entry }) => entry.data))
      for (const one of run) this.#events[one.index] = ''
      this.#events[index] = JSON.stringify({ ...event, id })
    }
    return this.#events.filter((text) => text !== '')
  }

  /** The events that become one each, in the order in which they were collected. */
  #runs(mergeables: readonly Mergeable[]): readonly (readonly Mergeable[])[] {
    const runs: Mergeable[][] = []
    const newestBySubject = new Map<string, Mergeable[]>()
    for (const mergeable of mergeables) {
      const subject = mergeable.definition.merging.subject(mergeable.entry.data)
      const run = newestBySubject.get(subject)
      if (run !== undefined && this.#joins(mergeable, run.at(-1) as Mergeable)) {
        run.push(mergeable)
      } else {
        const newRun = [mergeable]
        runs.push(newRun)
        newestBySubject.set(subject, newRun)
      }
    }
    return runs
  }

  #joins(next: Mergeable, last: Mergeable): boolean {
    const { merging } = next.definition
    return (
      next.definition === last.definition &&
      merging.mayMerge(last.entry.data) &&
      merging.mayMerge(next.entry.data) &&
      !this.live.hasRepliedBetween(last.id, next.id)
    )
  }
}
