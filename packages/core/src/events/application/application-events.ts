import { isSystemBotId } from '../../domain/users/system-bots.js'
import type { Logger } from '../../kernel/logger.js'
import { similarName } from '../../kernel/similar-name.js'
import type { BusRefusals } from '../bus/bus-refusals.js'
import type { EphemeralEvent } from '../bus/bus.js'
import type { EventCatalogue } from '../event-catalogue.js'
import { unreadCounts, type ChatEvents } from './chat-events.js'
import type { LogRecord } from '../log/log-entry.js'
import {
  namedUserIds,
  renderForApplication,
  type AddressedEvent,
  type RecordedEvent,
} from './application-view.js'
import { unreadEvents, type FindChannels, type UnreadChanges } from './unread-change.js'

/** Any event of the protocol, as the application gets it. */
export type AnyChatEvent = ChatEvents[keyof ChatEvents]

/** The events by the names under which the application can listen to them. */
export type ListenedEvents = ChatEvents & { readonly '*': AnyChatEvent }

/** An event that the application gets for a record, under one of its names. */
export interface NamedEvent {
  readonly name: string
  /** Distinguishes the events of a record. */
  readonly place: string
  readonly event: AnyChatEvent
}

/** Gets which of the users belong to an organization, with the application's ids of them. */
export type FindExternalIds = (
  organizationId: number,
  userIds: readonly number[],
) => Promise<ReadonlyMap<number, string | null>>

type KnownUsers = Awaited<ReturnType<FindExternalIds>>
type Listener = (event: never) => unknown

const noUsers: KnownUsers = new Map()

/** Every kind of event of clients; the name of a listener for all of them. */
export const everyEvent = '*'
/** Reports that wait for external ids; the events of later ones are dropped. */
const maxWaiting = 10_000

/** The application's view of events, and its listeners in memory. */
export class ApplicationEvents {
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Ends when every report so far was given to the listeners. */
  #reporting: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly findExternalIds: FindExternalIds,
    private readonly findChannels: FindChannels,
    private readonly unread: UnreadChanges,
    private readonly logger: Logger,
    private readonly refusals: BusRefusals,
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
      .concat(unreadCounts)
    if (typeof kind === 'string' && names.includes(kind)) return
    const meant = similarName(String(kind), names)
    const remedy =
      meant === undefined ? `, only ${names.toSorted().join(', ')}` : `. Did you mean '${meant}'?`
    throw new TypeError(`${place}: there is no event '${String(kind)}'${remedy}`)
  }

  /** Calls the listeners for records that this process has committed. */
  report(organizationId: number, records: readonly LogRecord[]): void {
    this.#report(organizationId, records)
  }

  /**
   * Calls the listeners for an event that is not in the log. It may be that of another process, so
   * one that names users of another organization is dropped.
   */
  reportEphemeral({ organizationId, kind, data, userIds }: EphemeralEvent): void {
    const record = { kind, data, groups: [], audienceId: null, recipients: { userIds } }
    this.#report(organizationId, [record], true)
  }

  /** The kinds of records that events of these names are made of. */
  kindsOf(names: readonly string[]): string[] {
    const kinds = names.flatMap((name) => (name === unreadCounts ? this.unread.kinds : name))
    return [...new Set(kinds)]
  }

  /**
   * The events of a record, as the application gets them; none for internal records.
   *
   * @param names those that it asks for. @default all that clients get
   */
  async view(
    organizationId: number,
    record: RecordedEvent,
    names: readonly string[] = [record.kind],
  ): Promise<readonly NamedEvent[]> {
    const own = names.includes(record.kind) ? renderForApplication(this.catalogue, record) : []
    const unread = names.includes(unreadCounts)
      ? await unreadEvents(organizationId, this.unread.find(record), this.findChannels)
      : []
    const named = [
      ...own.map((event, index) => ({ name: record.kind, place: `${index}`, event })),
      ...unread.map((event, index) => ({ name: unreadCounts, place: `unread-${index}`, event })),
    ]
    return Promise.all(
      named.map(async ({ event, ...rest }) => {
        const users = await this.#usersIn(organizationId, event)
        return { ...rest, event: complete(organizationId, event, users) }
      }),
    )
  }

  /** Resolves when every report so far was given to the listeners. */
  async idle(): Promise<void> {
    await this.#reporting
  }

  close(): void {
    this.#listeners.clear()
  }

  #report(organizationId: number, records: readonly RecordedEvent[], isEphemeral = false): void {
    if (this.#listeners.size === 0) return
    for (const record of records) {
      const listeners = this.#listenersOf(record.kind, everyEvent)
      const events = listeners.length === 0 ? [] : renderForApplication(this.catalogue, record)
      if (events.length > 0) {
        this.#queue(record.kind, () =>
          this.#callAll(organizationId, record.kind, events, listeners, isEphemeral),
        )
      }
      const unreadListeners = this.#listenersOf(unreadCounts)
      const change = unreadListeners.length === 0 ? undefined : this.unread.find(record)
      if (change === undefined) continue
      this.#queue(unreadCounts, async () => {
        const changes = await unreadEvents(organizationId, change, this.findChannels)
        await this.#callAll(organizationId, unreadCounts, changes, unreadListeners, isEphemeral)
      })
    }
  }

  /** Those of this moment: a listener that is removed later still gets events committed before. */
  #listenersOf(...names: readonly string[]): Listener[] {
    return names.flatMap((name) => [...(this.#listeners.get(name) ?? [])])
  }

  /** Reports an event after those before it. */
  #queue(name: string, call: () => Promise<void>): void {
    if (this.#waiting >= maxWaiting) {
      this.logger.warn('An event was not reported to listeners: too many wait', { event: name })
      return
    }
    this.#waiting += 1
    this.#reporting = this.#reporting
      .then(call)
      .catch((error: unknown) => this.#failed(name, error))
      .finally(() => {
        this.#waiting -= 1
      })
  }

  async #callAll(
    organizationId: number,
    kind: string,
    events: readonly AddressedEvent[],
    listeners: readonly Listener[],
    isEphemeral: boolean,
  ): Promise<void> {
    for (const event of events) {
      const users = await this.#usersIn(organizationId, event)
      if (isEphemeral && !isOfOrganization(event, users)) {
        this.refusals.note('users')
        continue
      }
      const reported = complete(organizationId, event, users)
      for (const listener of listeners) this.#call(kind, listener, reported)
    }
  }

  async #usersIn(organizationId: number, { event, userIds }: AddressedEvent): Promise<KnownUsers> {
    const named = namedUserIds(event, userIds)
    return named.length === 0 ? noUsers : this.findExternalIds(organizationId, named)
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

  /** The write is committed already, so the failure of a listener is only logged. */
  #failed(kind: string, error: unknown): void {
    this.logger.error('A listener of the application threw', { event: kind, err: error })
  }
}

function complete(
  organizationId: number,
  { event, userIds }: AddressedEvent,
  users: KnownUsers = noUsers,
): AnyChatEvent {
  const externalIds = [...users].filter(([, externalId]) => externalId !== null)
  const completed = {
    ...structuredClone(event),
    organizationId,
    ...(userIds !== undefined && { userIds: [...userIds] }),
    externalIds: Object.fromEntries(externalIds),
  }
  // The definition of the event renders its own payload
  return completed as unknown as AnyChatEvent
}

/** Whether all users that the event names belong to its organization, or to the server itself. */
function isOfOrganization({ event, userIds }: AddressedEvent, users: KnownUsers): boolean {
  return namedUserIds(event, userIds).every((id) => users.has(id) || isSystemBotId(id))
}
