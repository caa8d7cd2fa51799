import type { ChatApi, GetMessagesParams, GetMessagesResult, Registration } from '../api.js'
import type { ConnectionEvents, ConnectionState } from '../connection-events.js'
import type { Environment } from '../environment.js'
import type { ServerEvent } from '@parley/wire/events'
import { channelReducers } from './channels.js'
import { LiveMessageList, type MessageListOptions } from './message-list.js'
import { caughtUp, isFollowed, type FetchedMessages, type MessageSource } from './message-source.js'
import { messageReducers } from './messages.js'
import { expiryOf, freshTyping, personalReducers } from './personal.js'
import { Changes, kindOf, type LiveState, type Reducer, type Reducers } from './reducer.js'
import { emptyState, stateOf } from './registered.js'
import { settingReducers } from './settings.js'
import type { ChatState, ChatStore, Message, MessageList, SearchMatch } from './state.js'
import { counted } from './unread-counts.js'
import { userReducers } from './users.js'

/** How many messages are kept that are in no list. */
const maxRecentMessages = 1000

/** Visitors have to ask for nothing else. */
const webPublic = { operator: 'channels', operand: 'web-public' } as const

const reducers: Reducers = {
  ...channelReducers,
  ...messageReducers,
  ...personalReducers,
  ...settingReducers,
  ...userReducers,
}

interface Subscriber {
  /** Whether the selected value has changed, and how to report it. */
  check(state: ChatState): (() => void) | undefined
}

export interface LiveStoreOptions {
  readonly api: ChatApi
  readonly environment: Pick<Environment, 'now' | 'after'>
  /** Called with errors of listeners, and with the reason why events could not be applied. */
  onError(error: unknown): void
  /** Whether the server only answers with data that the whole web may read. */
  readonly isVisitor?: boolean
}

/** Keeps the state of the chat by the events of a connection. */
export class LiveStore implements ChatStore, ConnectionEvents, MessageSource {
  readonly #options: LiveStoreOptions
  readonly #subscribers = new Set<Subscriber>()
  readonly #lists = new Set<LiveMessageList>()
  #state: LiveState = emptyState({ kind: 'closed' })
  #epoch = 0
  /** The events since each of the present requests for messages. */
  readonly #eventsSince = new Set<ServerEvent[]>()
  /** Ends the wait for the end of the oldest sign that somebody is typing. */
  #cancelExpiry: (() => void) | undefined
  #maxMessages = maxRecentMessages

  constructor(options: LiveStoreOptions) {
    this.#options = options
  }

  get state(): LiveState {
    return this.#state
  }

  get epoch(): number {
    return this.#epoch
  }

  subscribe<Value>(
    selector: (state: ChatState) => Value,
    listener: (value: Value) => void,
  ): () => void {
    let last = selector(this.#state)
    const subscriber: Subscriber = {
      check(state) {
        const value = selector(state)
        if (Object.is(value, last)) return undefined
        last = value
        return () => listener(value)
      },
    }
    this.#subscribers.add(subscriber)
    return () => void this.#subscribers.delete(subscriber)
  }

  list(
    terms: ConstructorParameters<typeof LiveMessageList>[1],
    options: MessageListOptions,
  ): MessageList {
    const list = new LiveMessageList(this, terms, options, (call) => this.#guard(call))
    this.#lists.add(list)
    return list
  }

  remove(list: LiveMessageList): void {
    this.#lists.delete(list)
  }

  registered(registration: Registration): void {
    this.#state = stateOf(registration, this.#state.connection)
    this.#epoch += 1
    this.#maxMessages = maxRecentMessages
    for (const list of this.#lists) void list.rejoin()
    this.#notify()
  }

  received(events: readonly ServerEvent[]): void {
    this.#state = after(this.#state, events, new Changes(this.#options.environment.now()))
    for (const since of this.#eventsSince) since.push(...events)
    for (const list of this.#lists) list.update(events)
    this.#forgetMessages()
    this.#notify()
  }

  changed(connection: ConnectionState): void {
    if (connection.kind === 'signedOut') {
      // Data that a user could see is not for the next user who signs in.
      this.#state = emptyState(connection)
      this.#epoch += 1
      for (const list of this.#lists) list.clear()
    } else this.#state = { ...this.#state, connection }
    // Without timers nothing would end it.
    if (connection.kind === 'closed') this.#state = { ...this.#state, typing: new Map() }
    if (connection.kind === 'connected' || connection.kind === 'visiting')
      for (const list of this.#lists) list.retry()
    this.#notify()
  }

  failed(error: unknown): void {
    this.#options.onError(error)
  }

  async fetch(
    params: GetMessagesParams,
    signal: AbortSignal,
    take: (fetched: FetchedMessages) => void,
  ): Promise<void> {
    const epoch = this.#epoch
    const events: ServerEvent[] = []
    this.#eventsSince.add(events)
    const { api, isVisitor } = this.#options
    const narrow = isVisitor === true ? [...(params.narrow ?? []), webPublic] : params.narrow
    const form = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true }
    try {
      const result = await api.getMessages({ ...params, narrow, ...form }, { signal })
      if (signal.aborted) return
      const isCurrent = epoch === this.#epoch
      take(this.#taken(result, isCurrent ? events : [], epoch))
      this.#forgetMessages()
      this.#notify()
    } finally {
      this.#eventsSince.delete(events)
    }
  }

  #taken(
    { messages: wires, found_oldest, found_newest }: GetMessagesResult,
    events: readonly ServerEvent[],
    epoch: number,
  ): FetchedMessages {
    const matches = new Map<number, SearchMatch>()
    const received = wires.map((wire): Message => {
      const { edit_history: _, match_content, match_subject, ...message } = wire
      if (match_content !== undefined && match_subject !== undefined) {
        matches.set(message.id, { match_content, match_subject })
      }
      return message
    })
    let messages: readonly Message[] = received
    // Without the events since the request, they may be older than the rest of the state.
    if (epoch === this.#epoch && this.#state.isRegistered) {
      const state = this.#state
      messages = caughtUp(received, events, state).map((message) => {
        const known = state.messages.get(message.id)
        return known !== undefined && isFollowed(known, state) ? known : message
      })
      const all = new Map(state.messages)
      for (const message of messages) all.set(message.id, message)
      this.#state = { ...state, messages: all }
    }
    return {
      messages,
      matches,
      foundOldest: found_oldest,
      foundNewest: found_newest,
      events,
      epoch,
    }
  }

  /** Keeps the newest of the messages that are in no list. */
  #forgetMessages(): void {
    const { messages } = this.#state
    if (messages.size <= this.#maxMessages) return
    const listed = new Set([...this.#lists].flatMap((list) => list.ids))
    const others = [...messages.keys()].filter((id) => !listed.has(id)).sort((a, b) => a - b)
    const kept = new Map(messages)
    for (const id of others.slice(0, -maxRecentMessages)) kept.delete(id)
    // So far that it takes as many new messages until the lists are looked at again.
    this.#maxMessages = kept.size + maxRecentMessages
    if (kept.size < messages.size) this.#state = { ...this.#state, messages: kept }
  }

  #notify(): void {
    this.#watchTyping()
    // A listener may change the state again: those after it get the newest one only.
    for (const subscriber of this.#subscribers) this.#guard(() => subscriber.check(this.#state)?.())
    for (const list of this.#lists) list.notify()
  }

  /** Removes signs that users are typing when they have expired. */
  #watchTyping(): void {
    const { typing } = this.#state
    if (typing.size === 0) {
      this.#cancelExpiry?.()
      this.#cancelExpiry = undefined
      return
    }
    if (this.#cancelExpiry !== undefined) return
    const { now, after: wait } = this.#options.environment
    const times = [...typing.values()].flatMap((users) => [...users.values()])
    const milliseconds = Math.min(...times) + expiryOf(this.#state) - now()
    this.#cancelExpiry = wait(Math.max(0, milliseconds), () => {
      this.#cancelExpiry = undefined
      this.#state = { ...this.#state, typing: freshTyping(this.#state, now()) }
      this.#notify()
    })
  }

  /** Calls a function of the application, which must not prevent other calls. */
  #guard(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#options.onError(error)
    }
  }
}

/** The state after events. */
function after(before: LiveState, events: readonly ServerEvent[], changes: Changes): LiveState {
  let state = before
  for (const event of events) {
    // The entry of an event's kind is a reducer of such events.
    const reducer = reducers[kindOf(event) as keyof Reducers] as Reducer<ServerEvent> | undefined
    const parts = reducer?.(state, event, changes)
    if (parts !== undefined) state = { ...state, ...parts }
  }
  const unread = counted(state)
  return unread === state.unread ? state : { ...state, unread }
}
