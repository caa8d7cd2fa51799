import type { GetMessagesParams, NarrowTerm } from '../api.js'
import type { ServerEvent } from '@parley/wire/events'
import { arrivalsOf } from './arrivals.js'
import {
  nothingListed,
  sortedById,
  spans,
  withoutOldMatches,
  type FetchedMessages,
  type MessageSource,
} from './message-source.js'
import { Narrow } from './narrow.js'
import type { LiveState } from './reducer.js'
import type { Message, MessageAnchor, MessageList, MessageListState } from './state.js'
import { UnsureMessages } from './unsure-messages.js'

export interface MessageListOptions {
  /** How many messages are requested at once, at most 1000. @default 100 */
  readonly pageSize?: number
}

/** With the older or newer half of such a list, the program forgets what nobody looks at. */
const maxMessages = 10_000
/** How many of them are requested again after lost events. */
const maxRejoined = 1000
/** For more than that, the list is requested again. */
const maxUnsure = 100

/** A {@link MessageList} that the store keeps current. */
export class LiveMessageList implements MessageList {
  readonly #source: MessageSource
  readonly #narrow: Narrow
  readonly #pageSize: number
  readonly #guard: (call: () => void) => void
  readonly #listeners = new Set<() => void>()
  #state = nothingListed
  #notified = nothingListed
  /** The registration that the messages agree with. */
  #epoch = 0
  #anchor: MessageAnchor | undefined
  #ending = new AbortController()
  readonly #unsure = new UnsureMessages({
    request: (message_ids, signal) => this.#find(message_ids, signal),
    changed: (error) => {
      this.#change({ error })
      this.notify()
    },
  })
  #isClosed = false
  /** The messages of the store that the list agrees with. */
  #seen: LiveState['messages'] | undefined

  /** @param guard calls a function of the application. */
  constructor(
    source: MessageSource,
    terms: readonly NarrowTerm[],
    { pageSize = 100 }: MessageListOptions,
    guard: (call: () => void) => void,
  ) {
    this.#source = source
    this.#narrow = new Narrow(terms)
    this.#pageSize = pageSize
    this.#guard = guard
  }

  get state(): MessageListState {
    return this.#state
  }

  get ids(): readonly number[] {
    return this.#state.messages.map(({ id }) => id)
  }

  subscribe(listener: () => void): () => void {
    // The same function may be given twice.
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  load(anchor: MessageAnchor): Promise<void> {
    this.#anchor = anchor
    const half = Math.ceil(this.#pageSize / 2)
    const num_before = anchor === 'oldest' ? 0 : half
    const num_after = anchor === 'newest' ? 0 : half
    return this.#request('anchor', { anchor, num_before, num_after }, (fetched) => {
      this.#replace(fetched, this.#state.generation + 1)
      const firstUnreadId = this.#state.messages.find(({ flags }) => !flags.includes('read'))?.id
      this.#change({ firstUnreadId })
    })
  }

  async older(): Promise<void> {
    const [first] = this.#state.messages
    if (first === undefined || this.#state.haveOldest) return
    await this.#extend('older', { anchor: first.id, num_before: this.#pageSize, num_after: 0 })
  }

  async newer(): Promise<void> {
    const last = this.#state.messages.at(-1)
    if (last === undefined || this.#state.haveNewest) return
    await this.#extend('newer', { anchor: last.id, num_before: 0, num_after: this.#pageSize })
  }

  close(): void {
    this.#isClosed = true
    this.#end()
    this.#listeners.clear()
    this.#source.remove(this)
  }

  /** Requests the same messages again, because events about them were lost. */
  async rejoin(): Promise<void> {
    const kept = this.#state.messages.slice(-maxRejoined)
    const [first] = kept
    if (first === undefined) {
      // A first request goes on: its answer is not lost, only not the last word.
      if (this.#anchor !== undefined && this.#state.isLoading !== 'anchor') {
        await this.load(this.#anchor)
      }
      return
    }
    const range = { anchor: first.id, num_before: 1, num_after: kept.length + this.#pageSize }
    await this.#request('anchor', range, (fetched) => {
      const former = new Set(kept.map(({ id }) => id))
      const isSame = fetched.messages.some(({ id }) => former.has(id))
      this.#replace(fetched, this.#state.generation + (isSame ? 0 : 1))
    })
  }

  /** Repeats the request that has failed, now that there is a connection. */
  retry(): void {
    const { error, isLoading } = this.#state
    if ((this.#isStale || error !== undefined) && isLoading === undefined) void this.rejoin()
  }

  /** Forgets everything. */
  clear(): void {
    this.#end()
    this.#anchor = undefined
    this.#state = { ...nothingListed, generation: this.#state.generation + 1 }
  }

  /** Takes over the changes of events in the store. */
  update(events: readonly ServerEvent[]): void {
    if (this.#isStale) return
    const { messages: current } = this.#source.state
    if (current !== this.#seen) this.#follow(current)
    this.#admit(events)
  }

  #follow(current: LiveState['messages']): void {
    this.#seen = current
    const { messages } = this.#state
    const remaining = messages.flatMap((message) => {
      const now = current.get(message.id)
      if (now === message) return message
      return now === undefined || !this.#keeps(now, message) ? [] : now
    })
    const isSame =
      remaining.length === messages.length && remaining.every((one, at) => one === messages[at])
    if (!isSame) this.#change({ messages: remaining })
  }

  /** Calls the listeners, if something has changed. */
  notify(): void {
    if (this.#state === this.#notified) return
    this.#notified = this.#state
    for (const listener of this.#listeners) this.#guard(listener)
  }

  /** Whether events were lost since the messages were requested. */
  get #isStale(): boolean {
    return this.#epoch !== this.#source.epoch
  }

  #keeps(message: Message, former: Message): boolean {
    return this.#narrow.keeps(message, former, this.#source.state)
  }

  #replace(fetched: FetchedMessages, generation: number): void {
    this.#change({
      messages: fetched.messages.filter((message) => this.#keeps(message, message)),
      matches: fetched.matches,
      haveOldest: fetched.foundOldest,
      haveNewest: fetched.foundNewest,
      generation,
    })
  }

  #end(): void {
    this.#ending.abort()
    this.#unsure.clear()
  }

  #change(changed: Partial<MessageListState>): void {
    this.#state = withoutOldMatches({ ...this.#state, ...changed })
  }

  async #request(
    isLoading: 'older' | 'newer' | 'anchor',
    params: GetMessagesParams,
    take: (fetched: FetchedMessages) => void,
  ): Promise<void> {
    if (this.#isClosed) return
    // Older and newer messages are only requested while nothing else is.
    if (isLoading === 'anchor') this.#end()
    const ending = new AbortController()
    this.#ending = ending
    this.#change({ isLoading, error: undefined })
    this.notify()
    try {
      const request = { ...params, narrow: this.#narrow.terms }
      await this.#source.fetch(request, ending.signal, (fetched) => {
        this.#change({ isLoading: undefined })
        this.#epoch = fetched.epoch
        take(fetched)
        this.#admit(fetched.events)
      })
    } catch (error) {
      if (ending.signal.aborted) return
      this.#change({ isLoading: undefined, error })
      // An empty list lacks no changes.
      if (this.#state.messages.length === 0) this.#epoch = this.#source.epoch
      this.notify()
      return
    }
    if (!ending.signal.aborted && this.#isStale) await this.rejoin()
  }

  async #extend(where: 'older' | 'newer', params: GetMessagesParams): Promise<void> {
    if (this.#state.isLoading !== undefined) return
    if (this.#isStale) {
      await this.rejoin()
      return
    }
    await this.#request(where, { ...params, include_anchor: false }, (fetched) => {
      const { messages, matches } = this.#state
      const fresh = fetched.messages.filter((message) => this.#keeps(message, message))
      const sorted = sortedById([...messages, ...fresh])
      const isTooLong = sorted.length > maxMessages
      this.#change({
        messages: where === 'older' ? sorted.slice(0, maxMessages) : sorted.slice(-maxMessages),
        matches: new Map([...matches, ...fetched.matches]),
        ...(where === 'older'
          ? { haveOldest: fetched.foundOldest, ...(isTooLong && { haveNewest: false }) }
          : { haveNewest: fetched.foundNewest, ...(isTooLong && { haveOldest: false }) }),
      })
    })
  }

  /** Adds messages that belong to the list since these events. */
  #admit(events: readonly ServerEvent[]): void {
    const arrivals = arrivalsOf(events, this.#narrow, this.#source.state)
    if (arrivals.changesAccess) {
      void this.rejoin()
      return
    }
    this.#insert(arrivals.messages)
    const known = new Set(this.ids)
    for (const id of arrivals.unsure)
      if (!known.has(id) && spans(this.#state, id)) this.#unsure.add(id)
    if (this.#unsure.size > maxUnsure) void this.rejoin()
    else void this.#unsure.ask()
  }

  #insert(added: readonly Message[]): void {
    const known = new Set(this.ids)
    const fresh = added.filter(({ id }) => !known.has(id) && spans(this.#state, id))
    if (fresh.length === 0) return
    const messages = sortedById([...this.#state.messages, ...fresh])
    const isTooLong = messages.length > maxMessages
    this.#change({
      messages: messages.slice(-maxMessages),
      ...(isTooLong && { haveOldest: false }),
    })
  }

  /** Adds those of the messages that the server finds. */
  #find(message_ids: readonly number[], signal: AbortSignal): Promise<void> {
    const request = { message_ids, narrow: this.#narrow.terms }
    return this.#source.fetch(request, signal, ({ messages, matches, epoch }) => {
      if (epoch !== this.#epoch) return
      this.#insert(messages.filter((message) => this.#keeps(message, message)))
      this.#change({ matches: new Map([...this.#state.matches, ...matches]) })
    })
  }
}
