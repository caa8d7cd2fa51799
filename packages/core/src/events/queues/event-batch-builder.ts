import { present } from '../../kernel/present.js'
import type { EventCatalogue } from '../event-catalogue.js'
import { firstIdOf, seqOf } from '../event-id.js'
import type { MergingDefinition } from '../event.js'
import type { LogEntry } from '../log/log-entry.js'
import type { LiveQueue } from './live-queue.js'
import type { EventBatch, SharedEvents } from './shared-events.js'

/** Maximum size of one response, unless a single event is larger. */
export const maxBatchCharacters = 1_000_000

/** A pending event that may be merged with others. */
interface Mergeable {
  readonly entry: LogEntry
  readonly definition: MergingDefinition
  readonly id: number
  /** Index of its text in the events. */
  readonly index: number
}

/**
 * Collects the events of one read of the log for one queue.
 *
 * Pending events merge where their kind allows it: the merged event has the id and the position of
 * the newest. Events of a reply that this process remembers are not merged again; after that they
 * may arrive merged when they are requested again, with the same content.
 */
export class EventBatchBuilder {
  readonly #events: string[] = []
  #parts: SharedEvents[] | undefined = []
  #mergeables: Mergeable[] | undefined
  #characters = 0
  /** Whether an event that is not in the log was dropped, because no id was left for it. */
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

  /** @returns false when the response is full. */
  add(entry: LogEntry): boolean {
    const { queue } = this.live
    if (entry.seq <= queue.createdSeq || entry.seq < seqOf(this.cursor)) return true
    const events = this.catalogue.wantedEvents(entry, queue)
    if (events === undefined) return true
    // An entry that was delivered before, here or by another process, has no free ids before it.
    if (this.live.lastId < firstIdOf(entry.seq)) this.#takeEphemerals(entry.seq)
    const before = this.#events.length
    const lastId = this.#append(events)
    if (lastId === undefined) return true
    this.#lastId = lastId
    this.live.noteId(lastId)
    const definition = this.catalogue.merging(entry)
    if (definition !== undefined) {
      this.#mergeables ??= []
      this.#mergeables.push({ entry, definition, id: lastId, index: before })
    }
    for (let index = before; index < this.#events.length; index += 1) {
      this.#characters += present(this.#events[index], 'an added event').length
    }
    return this.#characters <= this.maxCharacters
  }

  /** @returns the id of the last event, or undefined if the client has all of them. */
  #append(events: SharedEvents): number | undefined {
    const { texts, firstId, lastId } = events
    if (lastId <= this.cursor || texts.length === 0) return undefined
    if (firstId > this.cursor) {
      this.#events.push(...texts)
      this.#parts?.push(events)
    } else {
      this.#events.push(...texts.slice(this.cursor + 1 - firstId))
      this.#parts = undefined
    }
    return lastId
  }

  partial(): EventBatch {
    return { events: this.#reply(), lastId: this.#lastId, hasMore: true, parts: this.#parts }
  }

  /** @param seenSeq the last entry that was scanned. */
  complete(seenSeq: number): EventBatch {
    this.live.markScanned(this.#lastId, seenSeq)
    this.#takeEphemerals(seenSeq + 1)
    return { events: this.#reply(), lastId: this.#lastId, hasMore: false, parts: this.#parts }
  }

  /** Inserts the buffered ephemeral events before the first entry that was committed after them. */
  #takeEphemerals(beforeSeq: number): void {
    const { lastId, isOutOfIds } = this.live.takeEphemerals(this.#events, beforeSeq)
    if (lastId !== undefined) {
      this.#lastId = lastId
      this.#parts = undefined
    }
    if (isOutOfIds) this.isOutOfIds = true
  }

  #reply(): string[] {
    if (this.#mergeables === undefined) return this.#events
    this.live.noteReply(this.#lastId)
    for (const run of this.#runs(this.#mergeables)) {
      if (run.length === 1) continue
      this.#parts = undefined
      const { definition, id, index } = present(run.at(-1), 'the newest event of a run')
      const event = definition.merging.merge(run.map(({ entry }) => entry.data))
      for (const one of run) this.#events[one.index] = ''
      this.#events[index] = JSON.stringify({ ...event, id })
    }
    return this.#events.filter((text) => text !== '')
  }

  /**
   * The runs of events that are merged into one each, in the order in which they were collected.
   */
  #runs(mergeables: readonly Mergeable[]): readonly (readonly Mergeable[])[] {
    const runs: Mergeable[][] = []
    const newestBySubject = new Map<string, Mergeable[]>()
    for (const mergeable of mergeables) {
      const subject = mergeable.definition.merging.subject(mergeable.entry.data)
      const run = newestBySubject.get(subject)
      if (run !== undefined && this.#joins(mergeable, run.at(-1))) {
        run.push(mergeable)
      } else {
        const newRun = [mergeable]
        runs.push(newRun)
        newestBySubject.set(subject, newRun)
      }
    }
    return runs
  }

  #joins(next: Mergeable, last: Mergeable | undefined): boolean {
    const { merging } = next.definition
    return (
      next.definition === last?.definition &&
      merging.mayMerge(last.entry.data) &&
      merging.mayMerge(next.entry.data) &&
      !this.live.hasRepliedBetween(last.id, next.id)
    )
  }
}
