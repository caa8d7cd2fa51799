import type { ChatEvents } from './event-types.generated.js'
import type { Logger } from '../kernel/logger.js'
import type { EphemeralEvent, EventBus } from './bus.js'
import {
  namedUserIds,
  renderForApplication,
  type AddressedEvent,
  type RecordedEvent,
} from './application-view.js'
import type { EventCatalogue } from './event-catalogue.js'
import type { LogRecord } from './log-entry.js'

/** Any event of the protocol, as the application gets it. */
export type AnyChatEvent = ChatEvents[keyof ChatEvents]

/** Gets the application's ids of those users of an organization who have one. */
export type FindExternalIds = (
  organizationId: number,
  userIds: readonly number[],
) => Promise<ReadonlyMap<number, string>>

type Listener = (event: never) => unknown

/** Every kind of event; the name of a listener for all of them. */
export const everyEvent = '*'
/** Reports that wait for external ids; the events of later ones are dropped. */
const maxWaiting = 10_000

/** The application's view of events, and its listeners in memory. */
export class ApplicationEvents {
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Ends when every report so far was given to the listeners. */
  #reporting: Promise<void> = Promise.resolve()
  #waiting = 0
  #unfollow: () => void = () => {}

  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly findExternalIds: FindExternalIds,
    private readonly logger: Logger,
  ) {}

  on(name: string, listener: Listener): () => void {
    if (name !== everyEvent) this.requireKind('chat.on', name)
    if (typeof listener !== 'function') throw new TypeError('chat.on: needs a function to call')
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(name)
    }
  }

  /**
   * @param isStored whether the event must be one that the log can have.
   * @throws {TypeError} if the application cannot get events of that name.
   */
  requireKind(place: string, kind: unknown, isStored = false): void {
    const names = [...this.catalogue.definitions]
      .filter(({ isLegacy, isTransient }) => isLegacy !== true && !(isStored && isTransient))
      .map((definition) => definition.kind)
    if (typeof kind === 'string' && names.includes(kind)) return
    throw new TypeError(
      `${place}: there is no event '${String(kind)}', only ${names.toSorted().join(', ')}`,
    )
  }

  /** Calls the listeners for records that this process has committed. */
  report(organizationId: number, records: readonly LogRecord[]): void {
    this.#report(organizationId, records)
  }

  /** Calls the listeners for an event that is not in the log. */
  #reportEphemeral({ organizationId, kind, data, userIds }: EphemeralEvent): void {
    this.#report(organizationId, [
      { kind, data, groups: [], audienceId: null, recipients: { userIds } },
    ])
  }

  /** The events of a record, as the application gets them; none for internal records. */
  async view(organizationId: number, record: RecordedEvent): Promise<readonly AnyChatEvent[]> {
    const events = renderForApplication(this.catalogue, record)
    return Promise.all(events.map((event) => this.#complete(organizationId, event)))
  }

  /** Resolves when every report so far was given to the listeners. */
  async idle(): Promise<void> {
    await this.#reporting
  }

  /** Starts to report the events that are not in the log. */
  follow(bus: EventBus): void {
    this.#unfollow = bus.subscribe({
      onRecords() {},
      onHead() {},
      onEphemeral: (event) => this.#reportEphemeral(event),
    })
  }

  /** The bus may be the application's own, and live longer. */
  close(): void {
    this.#unfollow()
    this.#listeners.clear()
  }

  #report(organizationId: number, records: readonly RecordedEvent[]): void {
    if (this.#listeners.size === 0) return
    for (const record of records) {
      // Those of this moment: a listener that is removed later gets what was committed before.
      const names = [record.kind, everyEvent]
      const listeners = names.flatMap((name) => [...(this.#listeners.get(name) ?? [])])
      if (listeners.length === 0) continue
      const events = renderForApplication(this.catalogue, record)
      if (events.length === 0) continue
      if (this.#waiting >= maxWaiting) {
        this.logger.warn('An event was not reported to listeners: too many wait', {
          event: record.kind,
        })
        continue
      }
      this.#waiting += 1
      this.#reporting = this.#reporting
        .then(() => this.#callAll(organizationId, record.kind, events, listeners))
        .catch((error: unknown) => this.#failed(record.kind, error))
        .finally(() => {
          this.#waiting -= 1
        })
    }
  }

  async #callAll(
    organizationId: number,
    kind: string,
    events: readonly AddressedEvent[],
    listeners: readonly Listener[],
  ): Promise<void> {
    for (const event of events) {
      const complete = await this.#complete(organizationId, event)
      for (const listener of listeners) this.#call(kind, listener, complete)
    }
  }

  #call(kind: string, listener: Listener, event: AnyChatEvent): void {
    try {
      // `on` pairs a listener with the name of the events that it takes
      const result = (listener as (event: AnyChatEvent) => unknown)(event)
      // The promise is not awaited, and an unhandled rejection would end the process.
      if (result instanceof Promise) {
        result.catch((error: unknown) => this.#failed(kind, error))
      }
    } catch (error) {
      this.#failed(kind, error)
    }
  }

  async #complete(
    organizationId: number,
    { event, userIds }: AddressedEvent,
  ): Promise<AnyChatEvent> {
    const named = namedUserIds(event, userIds)
    const externalIds =
      named.length === 0 ? new Map() : await this.findExternalIds(organizationId, named)
    const complete = {
      ...structuredClone(event),
      organizationId,
      ...(userIds !== undefined && { userIds: [...userIds] }),
      externalIds: Object.fromEntries(externalIds),
    }
    // The definition of the event renders its own payload
    return complete as unknown as AnyChatEvent
  }

  /** The write is committed already, so the failure of a listener is only logged. */
  #failed(kind: string, error: unknown): void {
    this.logger.error('A listener of the application threw', { event: kind, err: error })
  }
}
