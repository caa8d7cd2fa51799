import { idsPerEntry, firstIdOf } from './event-id.js'
import {
  merges,
  renderEvent,
  type EventDefinition,
  type MergingDefinition,
  type RecipientFields,
} from './event.js'
import type { LogEntry } from './log/log-entry.js'
import type { EventQueue, EventQueueOptions } from './queues/event-queue.js'
import { SharedEvents } from './queues/shared-events.js'

const noFields: RecipientFields = {}

/** The values that the JSON of an entry depends on, besides its data. */
interface Form {
  readonly variant: string
  readonly fields: RecipientFields
  readonly queueFields: RecipientFields | undefined
}

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

  /** The channels between which an event says that messages were moved. */
  movedBetween(kind: string, data: unknown): readonly number[] {
    return this.#definitions.get(kind)?.movedBetween?.(data) ?? []
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
    return isWanted(definition, entry, queue, this.#fields(definition, entry, queue.userId))
  }

  /**
   * The events of `entry` for `queue`, or undefined if it does not want them; the same object for
   * all queues that get the same, unless it contains fields of this queue only.
   */
  wantedEvents(entry: LogEntry, queue: EventQueue): SharedEvents | undefined {
    if (!isReceived(entry, queue)) return undefined
    const definition = this.#definitions.get(entry.kind)
    if (definition === undefined) return undefined
    const fields = this.#fields(definition, entry, queue.userId)
    if (!isWanted(definition, entry, queue, fields)) return undefined
    const variant = definition.variant?.(queue, entry.data) ?? ''
    const queueFields = definition.queueFields?.(entry.data, queue)
    const known = queueFields === undefined ? entry.events(variant, fields) : undefined
    if (known !== undefined) return known
    const firstId = firstIdOf(entry.seq)
    const texts = this.#texts(definition, entry, queue, { variant, fields, queueFields })
    const events = new SharedEvents(
      texts.map((text, index) => `${text},"id":${firstId + index}}`),
      firstId,
    )
    if (queueFields === undefined) entry.keepEvents(variant, fields, events)
    return events
  }

  /** The definition of an entry's kind, if pending events of it merge. */
  merging({ kind }: LogEntry): MergingDefinition | undefined {
    const definition = this.#definitions.get(kind)
    return definition !== undefined && merges(definition) ? definition : undefined
  }

  /** The JSON of the events of `entry` for `queue`, each without `id` and closing brace. */
  texts(entry: LogEntry, queue: EventQueue): readonly string[] {
    const definition = this.#definitions.get(entry.kind)
    if (definition === undefined) return []
    return this.#texts(definition, entry, queue, {
      variant: definition.variant?.(queue, entry.data) ?? '',
      fields: this.#fields(definition, entry, queue.userId),
      queueFields: definition.queueFields?.(entry.data, queue),
    })
  }

  #texts(
    definition: EventDefinition,
    entry: LogEntry,
    queue: EventQueue,
    { variant, fields, queueFields }: Form,
  ): readonly string[] {
    const suffix =
      memberText(definition.renderFields?.(fields, queue) ?? fields) +
      (queueFields === undefined ? '' : memberText(queueFields))
    return this.#shared(definition, entry, queue, variant).map((text) => text + suffix)
  }

  /** The fields for one recipient; the common ones are created once for all recipients. */
  #fields(definition: EventDefinition, entry: LogEntry, userId: number): RecipientFields {
    const own = entry.fieldsOf(userId)
    if (own !== undefined) return own
    entry.commonFields ??= definition.defaultFields?.(entry.data) ?? noFields
    return entry.commonFields
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

function isWanted(
  definition: EventDefinition,
  entry: LogEntry,
  queue: EventQueue,
  fields: RecipientFields,
): boolean {
  return (
    accepts(definition, entry, queue, fields) && definition.isWithheld?.(entry.data, queue) !== true
  )
}

/** Whether queues with these options accept the entry; determined once for all of them. */
function accepts(
  definition: EventDefinition,
  entry: LogEntry,
  options: EventQueueOptions,
  fields: RecipientFields,
): boolean {
  const known = entry.acceptance(options, fields)
  if (known !== undefined) return known
  const isAccepted =
    options.eventTypes?.includes(definition.type) !== false &&
    definition.accepts?.(entry.data, options, fields) !== false
  entry.keepAcceptance({ options, fields, isAccepted })
  return isAccepted
}

/** The members of `fields` as JSON that can be appended to an object's text. */
function memberText(fields: RecipientFields): string {
  const json = JSON.stringify(fields)
  return json === '{}' ? '' : `,${json.slice(1, -1)}`
}
