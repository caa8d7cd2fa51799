import type { ServerEvent } from '@parley/wire/events'
import type { Narrow } from './narrow.js'
import type { LiveState } from './reducer.js'
import type { Message } from './state.js'

/** The messages that events may add to a list of messages. */
export interface Arrivals {
  readonly messages: readonly Message[]
  /** Ids of messages of which only the server can tell whether they belong to the list. */
  readonly unsure: readonly number[]
  /** Whether the user can see or follow other messages of the list's channel since these events. */
  readonly changesAccess: boolean
}

export function arrivalsOf(
  events: readonly ServerEvent[],
  narrow: Narrow,
  state: LiveState,
): Arrivals {
  const messages: Message[] = []
  const unsure = new Set<number>()
  let changesAny = false
  for (const event of events) {
    changesAny ||= changesAccess(event, narrow)
    for (const id of idsOf(event)) {
      const message = state.messages.get(id)
      const matches = message && narrow.matches(message, state)
      if (message !== undefined && matches === true) messages.push(message)
      if (matches === undefined && mayMatch(event, narrow, state)) unsure.add(id)
    }
  }
  return { messages, unsure: [...unsure], changesAccess: changesAny }
}

/** The messages that may belong to another list since an event. */
function idsOf(event: ServerEvent): readonly number[] {
  switch (event.type) {
    case 'message':
      return [event.message.id]
    case 'update_message':
      return event.subject === undefined && event.new_stream_id === undefined
        ? []
        : event.message_ids
    case 'update_message_flags':
      return event.op === 'add' ? event.messages : []
    default:
      return []
  }
}

/** The properties that decide whether subscribers may read messages from before they joined. */
const privacy: ReadonlySet<string> = new Set([
  'history_public_to_subscribers',
  'invite_only',
  'is_web_public',
])

function changesAccess(event: ServerEvent, narrow: Narrow): boolean {
  if (event.type === 'subscription') {
    return event.op === 'add' && narrow.isAbout(event.subscriptions)
  }
  if (event.type !== 'stream' || event.op === 'delete') return false
  return event.op === 'create'
    ? narrow.isAbout(event.streams)
    : privacy.has(event.property) && narrow.isAbout([event])
}

/** Whether messages that the client does not have, or cannot judge, may belong to the list now. */
function mayMatch(event: ServerEvent, narrow: Narrow, { channels }: LiveState): boolean {
  if (event.type === 'update_message_flags') return narrow.isAboutFlag(event.flag)
  if (event.type !== 'update_message' || !narrow.isOfChannel) return true
  const channel = channels.get(event.new_stream_id ?? event.stream_id ?? -1)
  return channel !== undefined && narrow.isAbout([channel])
}
