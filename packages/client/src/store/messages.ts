import type { ServerEvent, UpdateMessageEvent } from '@parley/wire/events'
import { withTyping } from './personal.js'
import {
  changeEntry,
  withoutEntry,
  type Changes,
  type LiveState,
  type Reducers,
} from './reducer.js'
import { directKey, resolvedPrefix, topicKey, type Message } from './state.js'
import {
  nothingUnread,
  participants,
  removeUnread,
  unreadAgain,
  unreadDeleted,
  unreadSent,
  unreadUpdated,
} from './unread.js'

/** The change that an event makes to messages. */
interface MessageChange {
  /** Undefined for all messages. */
  readonly ids: readonly number[] | undefined
  /** Undefined for a message that the user no longer has. */
  apply(message: Message): Message | undefined
}

/** The flags of a message that the user has not received, but may read. */
const unreceived: readonly string[] = ['read', 'historical']

function withFlag(message: Message, flag: string, isSet: boolean): Message {
  if (message.flags.includes(flag) === isSet) return message
  const others = message.flags.filter((one) => one !== flag)
  return { ...message, flags: isSet ? [...others, flag] : others }
}

/** Whether messages are moved where the user does not receive them. */
function leavesSubscriptions({ channels }: LiveState, { new_stream_id }: UpdateMessageEvent) {
  return new_stream_id !== undefined && channels.get(new_stream_id)?.subscription === undefined
}

/** Whether a topic was only marked as resolved, or no longer is: its messages were not moved. */
function isResolved({ orig_subject: from, subject: to, new_stream_id }: UpdateMessageEvent) {
  if (new_stream_id !== undefined || from === undefined || to === undefined) return false
  if (from.startsWith(resolvedPrefix) === to.startsWith(resolvedPrefix)) return false
  if (!to.startsWith(resolvedPrefix)) {
    return from.slice(resolvedPrefix.length) === to || from.replace(/^[✔ ]+/, '') === to
  }
  // The server cuts long names.
  const name = to.slice(resolvedPrefix.length)
  return name === from || (name.endsWith('...') && from.startsWith(name.slice(0, -3)))
}

function updated(message: Message, event: UpdateMessageEvent, state: LiveState): Message {
  let result = message
  if (event.message_id === message.id && event.rendered_content !== undefined) {
    const isHistorical = message.flags.includes('historical')
    result = {
      ...result,
      content: event.rendered_content,
      is_me_message: event.is_me_message ?? message.is_me_message,
      flags: isHistorical ? [...new Set([...event.flags, 'historical'])] : event.flags,
      ...(!event.rendering_only && { last_edit_timestamp: event.edit_timestamp }),
    }
  }
  const { new_stream_id, subject, topic_links } = event
  if (new_stream_id === undefined && subject === undefined) return result
  const channel = state.channels.get(new_stream_id ?? -1)
  return {
    ...result,
    ...(new_stream_id !== undefined && { stream_id: new_stream_id }),
    ...(channel !== undefined && { display_recipient: channel.name }),
    ...(subject !== undefined && { subject }),
    ...(topic_links !== undefined && { topic_links }),
    ...(leavesSubscriptions(state, event) && { flags: unreceived }),
    ...(!isResolved(event) && { last_moved_timestamp: event.edit_timestamp }),
  }
}

type ReactionEvent = Extract<ServerEvent, { readonly type: 'reaction' }>

function withReaction(message: Message, event: ReactionEvent): Message {
  const { emoji_name, emoji_code, reaction_type, user_id } = event
  const others = message.reactions.filter(
    (one) =>
      one.user_id !== user_id ||
      one.emoji_code !== emoji_code ||
      one.reaction_type !== reaction_type,
  )
  const isKnown = others.length < message.reactions.length
  if (isKnown === (event.op === 'add')) return message
  const own = { emoji_name, emoji_code, reaction_type, user_id }
  return { ...message, reactions: event.op === 'add' ? [...others, own] : others }
}

/**
 * The change that an event makes to messages that the client has. To apply it to a message that was
 * requested later, and has the change already, changes nothing.
 */
export function messageChange(event: ServerEvent, state: LiveState): MessageChange | undefined {
  switch (event.type) {
    case 'update_message':
      return { ids: event.message_ids, apply: (message) => updated(message, event, state) }
    case 'delete_message':
      return { ids: event.message_ids ?? [], apply: () => undefined }
    case 'reaction':
      return { ids: [event.message_id], apply: (message) => withReaction(message, event) }
    case 'submessage': {
      const { msg_type, content, message_id, sender_id, submessage_id: id } = event
      return {
        ids: [message_id],
        apply: (message) =>
          message.submessages.some((one) => one.id === id)
            ? message
            : {
                ...message,
                submessages: [
                  ...message.submessages,
                  { id, message_id, sender_id, msg_type, content },
                ],
              },
      }
    }
    case 'update_message_flags': {
      const { op, flag, messages, all } = event
      return {
        ids: all ? undefined : messages,
        apply: (message) => withFlag(message, flag, op === 'add'),
      }
    }
    default:
      return undefined
  }
}

/** The messages that the client has, after an event. */
function changedMessages(
  state: LiveState,
  event: ServerEvent,
  changes: Changes,
): LiveState['messages'] {
  const { messages } = state
  const change = messageChange(event, state)
  let result = messages
  for (const id of change?.ids ?? messages.keys()) {
    const message = messages.get(id)
    if (message === undefined || change === undefined) continue
    const changed = change.apply(message)
    if (changed === message) continue
    result =
      changed === undefined
        ? withoutEntry(result, id, changes)
        : changes.map(result).set(id, changed)
  }
  return result
}

export function removeChannelMessages(
  { messages }: LiveState,
  channelIds: readonly number[],
  changes: Changes,
): Pick<LiveState, 'messages'> {
  const removed = [...messages.values()].filter(({ stream_id = -1 }) =>
    channelIds.includes(stream_id),
  )
  return { messages: removed.reduce((all, { id }) => withoutEntry(all, id, changes), messages) }
}

/** Messages, and their counts and marks. */
export const messageReducers: Reducers = {
  message(state, event, changes) {
    const { message, flags } = event
    const { id, stream_id, subject, sender_id, display_recipient } = message
    const { channels, directConversations, me } = state
    const userIds = participants(display_recipient)
    const key =
      stream_id === undefined ? directKey(userIds, me.user_id) : topicKey(stream_id, subject)
    return {
      ...unreadSent(state, event, changes),
      messages: changes.map(state.messages).set(id, { ...message, flags }),
      typing: withTyping(state.typing, key, sender_id, undefined, changes),
      ...(stream_id === undefined
        ? { directConversations: changes.map(directConversations).set(key, id) }
        : {
            channels: changeEntry(channels, stream_id, changes, (channel) =>
              channel.first_message_id === null ? { ...channel, first_message_id: id } : channel,
            ),
          }),
    }
  },
  update_message(state, event, changes) {
    const messages = changedMessages(state, event, changes)
    const ids = event.message_ids
    return leavesSubscriptions(state, event)
      ? { messages, ...removeUnread(state, ids, changes), ...unstarred(state, ids, changes) }
      : { messages, ...unreadUpdated(state, event, changes) }
  },
  delete_message: (state, event, changes) => ({
    messages: changedMessages(state, event, changes),
    ...unreadDeleted(state, event, changes),
    ...unstarred(state, event.message_ids ?? [], changes),
  }),
  'reaction/add': (state, event, changes) => ({ messages: changedMessages(state, event, changes) }),
  'reaction/remove': (state, event, changes) => ({
    messages: changedMessages(state, event, changes),
  }),
  submessage: (state, event, changes) => ({ messages: changedMessages(state, event, changes) }),
  'update_message_flags/add'(state, event, changes) {
    const messages = changedMessages(state, event, changes)
    if (event.flag === 'starred') {
      const starred = changes.set(state.starred)
      for (const id of event.messages) starred.add(id)
      return { messages, starred }
    }
    if (event.flag !== 'read') return { messages }
    return event.all
      ? { messages, unread: nothingUnread, unreadMentions: new Map() }
      : { messages, ...removeUnread(state, event.messages, changes) }
  },
  'update_message_flags/remove'(state, event, changes) {
    const messages = changedMessages(state, event, changes)
    if (event.flag === 'starred') return { messages, ...unstarred(state, event.messages, changes) }
    return { messages, ...(event.flag === 'read' && unreadAgain(state, event, changes)) }
  },
}

function unstarred(
  { starred }: LiveState,
  ids: readonly number[],
  changes: Changes,
): Pick<LiveState, 'starred'> {
  if (!ids.some((id) => starred.has(id))) return { starred }
  const rest = changes.set(starred)
  for (const id of ids) rest.delete(id)
  return { starred: rest }
}
