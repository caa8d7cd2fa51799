import type {
  ChatApi,
  GetMessagesParams,
  GetMessagesResult,
  Registration,
} from '../api.generated.js'
import type { ConnectionEvents, ConnectionState } from '../connection-events.js'
import type { ServerEvent } from '../events.generated.js'
import { channelReducers } from './channels.js'
import { LiveMessageList, type MessageListOptions } from './message-list.js'
import { caughtUp, isFollowed, type FetchedMessages, type MessageSource } from './message-source.js'
import { messageReducers } from './messages.js'
import { personalReducers } from './personal.js'
import { Changes, kindOf, type LiveState, type Reducer, type Reducers } from './reducer.js'
import { emptyState, stateOf } from './registered.js'
import { settingReducers } from './settings.js'
import type { ChatState, ChatStore, Message, MessageList, SearchMatch } from './state.js'
import { counted } from './unread-counts.js'
import { userReducers } from './users.js'

/** How many messages are kept that are in no list. */
const maxRecentMessages = 1000

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
  /** UNIX milliseconds. */
  now(): number
  /** Called with what a listener has thrown, and with why events could not be applied. */
  onError(error: unknown): void
}

/** Keeps the state of the chat by the events of a connection. */
export class LiveStore implements ChatStore, ConnectionEvents, MessageSource {
  readonly #options: LiveStoreOptions
  readonly #subscribers = new Set<Subscriber>()
  readonly #lists = new Set<LiveMessageList>()
  #state: LiveState = emptyState({ kind: 'closed' })
  #epoch = 0
  /** The events since the oldest of the present requests for messages. */
  #recentEvents: ServerEvent[] = []
  #requests = 0
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
    this.#recentEvents = []
    this.#maxMessages = maxRecentMessages
    for (const list of this.#lists) void list.rejoin()
    this.#notify()
  }

  received(events: readonly ServerEvent[]): void {
    this.#state = after(this.#state, events, new Changes(this.#options.now()))
    if (this.#requests > 0) this.#recentEvents.push(...events)
    for (const list of this.#lists) list.update(events)
    this.#forgetMessages()
    this.#notify()
  }

  changed(connection: ConnectionState): void {
    if (connection.kind === 'signedOut') {
      // What a user could see is not for who signs in next.
      this.#state = emptyState(connection)
      this.#epoch += 1
      for (const list of this.#lists) list.clear()
    } else this.#state = { ...this.#state, connection }
    if (connection.kind === 'connected') for (const list of this.#lists) list.retry()
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
    const start = this.#recentEvents.length
    this.#requests += 1
    try {
      const result = await this.#options.api.getMessages(
        { ...params, apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true },
        { signal },
      )
      if (signal.aborted) return
      const isCurrent = epoch === this.#epoch
      take(this.#taken(result, isCurrent ? this.#recentEvents.slice(start) : [], epoch))
      this.#forgetMessages()
      this.#notify()
    } finally {
      this.#requests -= 1
      if (this.#requests === 0) this.#recentEvents = []
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
    const state = this.#state
    for (const subscriber of this.#subscribers) this.#guard(() => subscriber.check(state)?.())
    for (const list of this.#lists) list.notify()
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
