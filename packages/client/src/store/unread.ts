import type { Registration } from '../api.js'
import type {
  DeleteMessageEvent,
  MessageEvent,
  UpdateMessageEvent,
  UpdateMessageFlagsRemoveEvent,
} from '@parley/wire/events'
import { Changes, without, withoutEntry, type LiveState, type Reducer } from './reducer.js'
import { directKey, foldTopic, type UnreadState, type UnreadTopic } from './state.js'

type Unread = Pick<LiveState, 'unread' | 'unreadMentions'>
type Topics = ReadonlyMap<string, UnreadTopic>
type Place = { readonly channelId: number; readonly topic: string } | { readonly direct: string }

export const nothingUnread: UnreadState = {
  total: 0,
  mentions: [],
  channels: new Map(),
  direct: new Map(),
  old_unreads_missing: false,
}

export const byNumber = (a: number, b: number): number => a - b

/** Ids with others, ascending. New messages are at the end. */
function withIds(
  ids: readonly number[],
  added: readonly number[],
  changes: Changes,
): readonly number[] {
  const [id] = added
  if (id === undefined || added.length > 1 || id <= (ids.at(-1) ?? 0)) {
    return [...new Set([...ids, ...added])].sort(byNumber)
  }
  const all = changes.list(ids)
  all.push(id)
  return all
}

function withTopics(
  unread: UnreadState,
  channelId: number,
  topics: Topics,
  changes: Changes,
): UnreadState {
  const { channels } = unread
  if (topics.size === 0) return { ...unread, channels: withoutEntry(channels, channelId, changes) }
  const count = channels.get(channelId)?.count ?? 0
  return { ...unread, channels: changes.map(channels).set(channelId, { count, topics }) }
}

function add(
  unread: UnreadState,
  place: Place,
  added: readonly number[],
  changes: Changes,
): UnreadState {
  if ('direct' in place) {
    const ids = withIds(unread.direct.get(place.direct) ?? [], added, changes)
    return { ...unread, direct: changes.map(unread.direct).set(place.direct, ids) }
  }
  const { channelId, topic } = place
  const topics = changes.map(unread.channels.get(channelId)?.topics ?? new Map())
  const known = topics.get(foldTopic(topic))
  const newest = known?.ids.at(-1) ?? 0
  const ids = withIds(known?.ids ?? [], added, changes)
  topics.set(foldTopic(topic), {
    topic: known !== undefined && ids.at(-1) === newest ? known.topic : topic,
    ids,
    isMuted: known?.isMuted ?? false,
  })
  return withTopics(unread, channelId, topics, changes)
}

/** @param channelId of the only channel with these messages, if it is known. */
function remove(
  unread: UnreadState,
  removed: ReadonlySet<number>,
  changes: Changes,
  channelId?: number,
): UnreadState {
  let result = unread
  for (const [id, { topics }] of unread.channels) {
    if (channelId !== undefined && id !== channelId) continue
    let remaining = topics
    for (const [key, topic] of topics) {
      const ids = without(topic.ids, removed)
      if (ids === topic.ids) continue
      remaining =
        ids.length === 0
          ? withoutEntry(remaining, key, changes)
          : changes.map(remaining).set(key, { ...topic, ids })
    }
    if (remaining !== topics) result = withTopics(result, id, remaining, changes)
  }
  if (channelId !== undefined) return result
  for (const [key, all] of unread.direct) {
    const ids = without(all, removed)
    if (ids === all) continue
    const direct =
      ids.length === 0
        ? withoutEntry(result.direct, key, changes)
        : changes.map(result.direct).set(key, ids)
    result = { ...result, direct }
  }
  return result
}

function withoutMentions(
  mentions: LiveState['unreadMentions'],
  ids: Iterable<number>,
  changes: Changes,
): LiveState['unreadMentions'] {
  let result = mentions
  for (const id of ids) result = withoutEntry(result, id, changes)
  return result
}

function withMention(
  mentions: LiveState['unreadMentions'],
  id: number,
  flags: readonly string[],
  changes: Changes,
): LiveState['unreadMentions'] {
  if (flags.includes('mentioned')) return changes.map(mentions).set(id, 'personal')
  const isWildcard = flags.some((flag) => flag.endsWith('wildcard_mentioned'))
  return isWildcard
    ? changes.map(mentions).set(id, 'wildcard')
    : withoutEntry(mentions, id, changes)
}

/** Forgets messages that are read, or that the user no longer has. */
export function removeUnread(
  { unread, unreadMentions }: LiveState,
  ids: readonly number[],
  changes: Changes,
): Unread {
  return {
    unread: remove(unread, new Set(ids), changes),
    unreadMentions: withoutMentions(unreadMentions, ids, changes),
  }
}

export function removeChannelUnread(
  { unread, unreadMentions }: LiveState,
  channelIds: readonly number[],
  changes: Changes,
): Unread {
  let result: Unread = { unread, unreadMentions }
  for (const channelId of channelIds) {
    const { topics } = unread.channels.get(channelId) ?? {}
    if (topics === undefined) continue
    const ids = [...topics.values()].flatMap((topic) => topic.ids)
    result = {
      unread: withTopics(result.unread, channelId, new Map(), changes),
      unreadMentions: withoutMentions(result.unreadMentions, ids, changes),
    }
  }
  return result
}

export const unreadSent = (
  { unread, unreadMentions, me }: LiveState,
  { message, flags }: MessageEvent,
  changes: Changes,
): Unread | undefined => {
  if (flags.includes('read')) return undefined
  const { id, stream_id, subject, display_recipient } = message
  const place =
    stream_id === undefined
      ? { direct: directKey(participants(display_recipient), me.user_id) }
      : { channelId: stream_id, topic: subject }
  return {
    unread: add(unread, place, [id], changes),
    unreadMentions: withMention(unreadMentions, id, flags, changes),
  }
}

/** The ids of those who take part in a direct conversation. */
export function participants(
  recipient: string | readonly { readonly id: number }[],
): readonly number[] {
  return typeof recipient === 'string' ? [] : recipient.map(({ id }) => id)
}

function isUnread({ channels, direct }: UnreadState, id: number): boolean {
  for (const ids of direct.values()) if (ids.includes(id)) return true
  for (const { topics } of channels.values()) {
    for (const { ids } of topics.values()) if (ids.includes(id)) return true
  }
  return false
}

export const unreadUpdated = (
  { unread, unreadMentions }: LiveState,
  event: UpdateMessageEvent,
  changes: Changes,
): Unread => {
  const { message_id, message_ids, flags, stream_id, new_stream_id, subject } = event
  let result: Unread = { unread, unreadMentions }
  if (event.rendered_content !== undefined && isUnread(unread, message_id)) {
    const mentions = withMention(unreadMentions, message_id, flags, changes)
    result = { unread, unreadMentions: mentions }
  }
  const old = stream_id === undefined ? undefined : unread.channels.get(stream_id)
  const isMoved = subject !== undefined || new_stream_id !== undefined
  if (!isMoved || stream_id === undefined || old === undefined) return result
  const moved = new Set(message_ids)
  for (const { topic, ids } of old.topics.values()) {
    const movedIds = ids.filter((id) => moved.has(id))
    if (movedIds.length === 0) continue
    const place = { channelId: new_stream_id ?? stream_id, topic: subject ?? topic }
    const rest = remove(result.unread, new Set(movedIds), changes, stream_id)
    result = { ...result, unread: add(rest, place, movedIds, changes) }
  }
  return result
}

export const unreadDeleted: Reducer<DeleteMessageEvent> = (state, event, changes) => {
  const { message_ids, message_id } = event
  return removeUnread(state, message_ids ?? (message_id === undefined ? [] : [message_id]), changes)
}

/** Messages that the user has marked as unread. */
export const unreadAgain = (
  { unread, unreadMentions, me }: LiveState,
  { message_details = {} }: UpdateMessageFlagsRemoveEvent,
  changes: Changes,
): Unread => {
  let result: Unread = { unread, unreadMentions }
  for (const [text, details] of Object.entries(message_details)) {
    const id = Number(text)
    const place =
      details.type === 'stream'
        ? { channelId: details.stream_id, topic: details.topic }
        : { direct: directKey(details.user_ids, me.user_id) }
    const flags = details.mentioned === true ? ['mentioned'] : []
    result = {
      unread: add(result.unread, place, [id], changes),
      unreadMentions: withMention(result.unreadMentions, id, flags, changes),
    }
  }
  return result
}

/** The unread messages of a registration. */
export function unreadOf({ unread_msgs, user_id = 0 }: Registration): Unread {
  if (unread_msgs === undefined) return { unread: nothingUnread, unreadMentions: new Map() }
  const { pms, huddles, streams, mentions, old_unreads_missing } = unread_msgs
  const changes = new Changes(0)
  let unread: UnreadState = { ...nothingUnread, old_unreads_missing }
  const noteDirect = (userIds: readonly number[], ids: readonly number[]): void => {
    unread = add(unread, { direct: directKey(userIds, user_id) }, ids, changes)
  }
  for (const { other_user_id, unread_message_ids } of pms) {
    noteDirect([other_user_id], unread_message_ids)
  }
  for (const { user_ids_string, unread_message_ids } of huddles) {
    noteDirect(user_ids_string.split(',').map(Number), unread_message_ids)
  }
  for (const { stream_id, topic, unread_message_ids } of streams) {
    unread = add(unread, { channelId: stream_id, topic }, unread_message_ids, changes)
  }
  // Which of them mention everybody is not in the registration.
  return { unread, unreadMentions: new Map(mentions.map((id) => [id, 'personal'])) }
}
