import {
  merges,
  renderEvent,
  type EventDefinition,
  type MergingDefinition,
  type RecipientFields,
} from './event.js'
import { idsPerEntry, firstIdOf } from './event-id.js'
import type { EventQueue } from './event-queue.js'
import type { LogEntry } from './log-entry.js'

const noFields: RecipientFields = {}

/**
 * Every kind of event of a server; converts log entries into the JSON that a queue's client gets.
 */
export class EventCatalogue {
  readonly #definitions: ReadonlyMap<string, EventDefinition>
  readonly #types: ReadonlySet<string>

  constructor(definitions: readonly EventDefinition[]) {
    const byKind = new Map<string, EventDefinition>()
    for (const definition of definitions) {
      if (byKind.has(definition.kind)) {
        throw new TypeError(`Two events have the kind ${definition.kind}`)
      }
      byKind.set(definition.kind, definition)
    }
    this.#definitions = byKind
    this.#types = new Set(definitions.map(({ type }) => type))
  }

  /** The kinds of events that keep a remainder when the text of their message is removed. */
  get sharedKinds(): string[] {
    return [...this.#definitions.values()]
      .filter((definition) => definition.withoutText !== undefined)
      .map(({ kind }) => kind)
  }

  find(kind: string): EventDefinition | undefined {
    return this.#definitions.get(kind)
  }

  /** The remainder of an event without the text of its message; undefined if nothing remains. */
  withoutText(kind: string, data: unknown): unknown {
    return this.#definitions.get(kind)?.withoutText?.(data)
  }

  /** Those of the types that exist, each once. */
  knownTypes(types: readonly string[]): string[] {
    return [...new Set(types)].filter((type) => this.#types.has(type))
  }

  get definitions(): Iterable<EventDefinition> {
    return this.#definitions.values()
  }

  /** Whether `entry` yields any event for `queue`. */
  isWanted(entry: LogEntry, queue: EventQueue): boolean {
    if (!isReceived(entry, queue)) return false
    const definition = this.#definitions.get(entry.kind)
    if (definition === undefined) return false
    if (queue.eventTypes !== null && !queue.eventTypes.includes(definition.type)) return false
    if (definition.accepts === undefined) return true
    return definition.accepts(entry.data, queue, this.#fields(definition, entry, queue.userId))
  }

  /**
   * Appends the JSON of the events of `entry` for `queue` to `into`, without those with ids up to
   * `afterId`.
   *
   * @returns the id of the last event that was appended, or undefined if there was none.
   */
  append(into: string[], entry: LogEntry, queue: EventQueue, afterId: number): number | undefined {
    let id = firstIdOf(entry.seq) - 1
    let lastId: number | undefined
    for (const text of this.texts(entry, queue)) {
      id += 1
      if (id <= afterId) continue
      into.push(`${text},"id":${id}}`)
      lastId = id
    }
    return lastId
  }

  /** The definition of an entry's kind, if pending events of it merge. */
  merging({ kind }: LogEntry): MergingDefinition | undefined {
    const definition = this.#definitions.get(kind)
    return definition !== undefined && merges(definition) ? definition : undefined
  }

  /** The JSON of the events of `entry` for `queue`, each without `id` and closing brace. */
  *texts(entry: LogEntry, queue: EventQueue): Iterable<string> {
    const definition = this.#definitions.get(entry.kind)
    if (definition === undefined) return
    const queueFields = definition.queueFields?.(entry.data, queue)
    const variant = definition.variant?.(queue, entry.data) ?? ''
    const suffix =
      this.#fieldText(definition, entry, queue, variant) +
      (queueFields === undefined ? '' : memberText(queueFields))
    for (const text of this.#shared(definition, entry, queue, variant)) yield text + suffix
  }

  /** The fields for one recipient; the common ones are created once for all recipients. */
  #fields(definition: EventDefinition, entry: LogEntry, userId: number): RecipientFields {
    const own = entry.fieldsOf(userId)
    if (own !== undefined) return own
    entry.commonFields ??= definition.defaultFields?.(entry.data) ?? noFields
    return entry.commonFields
  }

  /** Caches the JSON per fields object: few distinct objects serve all recipients. */
  #fieldText(
    definition: EventDefinition,
    entry: LogEntry,
    queue: EventQueue,
    variant: string,
  ): string {
    const fields = this.#fields(definition, entry, queue.userId)
    let known = entry.fieldTexts.get(variant)
    if (known === undefined) {
      known = new Map()
      entry.fieldTexts.set(variant, known)
    }
    let text = known.get(fields)
    if (text === undefined) {
      text = memberText(definition.renderFields?.(fields, queue) ?? fields)
      known.set(fields, text)
    }
    return text
  }

  #shared(
    definition: EventDefinition,
    entry: LogEntry,
    queue: EventQueue,
    variant: string,
  ): readonly string[] {
    const known = entry.rendering(variant)
    if (known !== undefined) return known
    const texts = renderEvent(definition, entry.data, queue)
      .slice(0, idsPerEntry)
      .map((event) => JSON.stringify(event).slice(0, -1))
    entry.keepRendering(variant, texts)
    return texts
  }
}

/**
 * Whether the queue's user receives the entry. Both lists are fixed at its commit, so a change of
 * permissions takes effect in the order of the log, in every process.
 */
function isReceived(entry: LogEntry, { userId, allPublicStreams }: EventQueue): boolean {
  return entry.isFor(userId) || (allPublicStreams && entry.isForFollower(userId))
}

/** The members of `fields` as JSON that can be appended to an object's text. */
function memberText(fields: RecipientFields): string {
  const json = JSON.stringify(fields)
  return json === '{}' ? '' : `,${json.slice(1, -1)}`
}
