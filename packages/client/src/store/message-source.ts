import type { GetMessagesParams } from '../api.js'
import type { ServerEvent } from '@parley/wire/events'
import { messageChange } from './messages.js'
import type { LiveState } from './reducer.js'
import type { Message, MessageListState, SearchMatch } from './state.js'

/** The state of a list that was not loaded. */
export const nothingListed: MessageListState = {
  messages: [],
  matches: new Map(),
  haveOldest: false,
  haveNewest: false,
  isLoading: undefined,
  error: undefined,
  generation: 0,
  firstUnreadId: undefined,
}

/** The state without the matches of messages that are no longer in the list. */
export function withoutOldMatches(state: MessageListState): MessageListState {
  const { matches, messages } = state
  if (matches.size <= messages.length) return state
  const ids = new Set(messages.map(({ id }) => id))
  return { ...state, matches: new Map([...matches].filter(([id]) => ids.has(id))) }
}

/** Whether a message with this id would be between those of the list. */
export function spans({ messages, haveOldest, haveNewest }: MessageListState, id: number): boolean {
  const [first] = messages
  const last = messages.at(-1)
  return (
    (haveOldest || (first !== undefined && id > first.id)) &&
    (haveNewest || (last !== undefined && id < last.id))
  )
}

/** Each message once, ascending by id; of two with the same id, the later one. */
export function sortedById(messages: readonly Message[]): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

/** An answer to a request for messages, with the events since the request. */
export interface FetchedMessages {
  /** Ascending by id. */
  readonly messages: readonly Message[]
  readonly matches: ReadonlyMap<number, SearchMatch>
  readonly foundOldest: boolean
  readonly foundNewest: boolean
  /** The events since the request, which the messages already agree with. */
  readonly events: readonly ServerEvent[]
  /** The {@link MessageSource.epoch} of the request. */
  readonly epoch: number
}

/** The part of the store that a list of messages needs. */
export interface MessageSource {
  readonly state: LiveState
  /** The number of registrations. Messages of another epoch may lack changes. */
  readonly epoch: number
  /**
   * Requests messages, and passes them to `take` at once, so that no event comes in between.
   *
   * @throws {ApiError | ConnectionError} if the request fails.
   */
  fetch(
    params: GetMessagesParams,
    signal: AbortSignal,
    take: (fetched: FetchedMessages) => void,
  ): Promise<void>
  remove(list: unknown): void
}

/** Whether events keep the message current: others are only sent to subscribers. */
export function isFollowed({ stream_id }: Message, { channels }: LiveState): boolean {
  return stream_id === undefined || channels.get(stream_id)?.subscription !== undefined
}

/**
 * The messages of an answer after events that have arrived since the request, whether or not the
 * answer contains their changes.
 */
export function caughtUp(
  messages: readonly Message[],
  events: readonly ServerEvent[],
  state: LiveState,
): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  for (const event of events) {
    if (event.type === 'stream' && event.op === 'delete') {
      for (const { id, stream_id = -1 } of byId.values()) {
        if (event.stream_ids.includes(stream_id)) byId.delete(id)
      }
    }
    const change = messageChange(event, state)
    if (change === undefined) continue
    for (const id of change.ids ?? byId.keys()) {
      const message = byId.get(id)
      const changed = message && change.apply(message)
      if (changed === undefined) byId.delete(id)
      else byId.set(id, changed)
    }
  }
  return [...byId.values()]
}
