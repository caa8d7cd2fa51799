import type { ClientAnswer, Item } from './client-answer.js'

interface Unread {
  /** The conversation: a channel and a topic, or the participants of a direct conversation. */
  readonly place: { channelId: number; topic: string } | { userIds: readonly number[] }
  isMentioned: boolean
  /** Whether all users of the channel or topic are mentioned; not sent for earlier messages. */
  isWildcard: boolean
}

const followsOrUnmutes = new Set([2, 3])

/** The unread and starred messages of a client. */
export class ClientMessages {
  readonly #unread = new Map<number, Unread>()
  readonly #starred: Set<number>
  readonly #conversations = new Map<string, number>()
  #newestId: number
  /** No event contains the newest message id after the newest message was deleted. */
  hasLostMessages = false

  constructor(answer: ClientAnswer) {
    this.#newestId = answer['max_message_id']
    this.#starred = new Set(answer['starred_messages'])
    for (const { user_ids, max_message_id } of answer['recent_private_conversations']) {
      this.#conversations.set(user_ids.join(), max_message_id)
    }
    const { pms, streams, huddles, mentions } = answer['unread_msgs']
    const mentioned = new Set<number>(mentions)
    const note = (ids: readonly number[], place: Unread['place']): void => {
      for (const id of ids) {
        this.#unread.set(id, { place, isMentioned: mentioned.has(id), isWildcard: false })
      }
    }
    const self = answer['user_id']
    for (const { other_user_id, unread_message_ids } of pms) {
      note(unread_message_ids, { userIds: [...new Set<number>([other_user_id, self])] })
    }
    for (const { user_ids_string, unread_message_ids } of huddles) {
      note(unread_message_ids, { userIds: user_ids_string.split(',').map(Number) })
    }
    for (const { stream_id, topic, unread_message_ids } of streams) {
      note(unread_message_ids, { channelId: stream_id, topic })
    }
  }

  sent({ message, flags }: Item, selfId: number): void {
    const { id, type, stream_id, subject, display_recipient } = message
    this.#newestId = Math.max(this.#newestId, id)
    const userIds: number[] =
      type === 'private' ? display_recipient.map((person: Item) => person['id']) : []
    if (type === 'private') {
      const others = userIds.filter((userId) => userId !== selfId).sort((a, b) => a - b)
      this.#conversations.set(others.join(), id)
    }
    if (flags.includes('read')) return
    const place = type === 'private' ? { userIds } : { channelId: stream_id, topic: subject }
    this.#unread.set(id, { place, ...mentionsIn(flags) })
  }

  updated(event: Item, subscriptions: readonly Item[]): void {
    const { message_id, message_ids, flags, stream_id, new_stream_id, subject } = event
    if (event['rendered_content'] !== undefined) {
      Object.assign(this.#unread.get(message_id) ?? {}, mentionsIn(flags))
    }
    const channelId = new_stream_id ?? stream_id
    const isOwn = subscriptions.some((channel) => channel['stream_id'] === channelId)
    // Messages that are moved to a channel without a subscription lose their flags.
    if (new_stream_id !== undefined && !isOwn) {
      this.#lose(message_ids)
      return
    }
    for (const id of message_ids as number[]) {
      const unread = this.#unread.get(id)
      if (unread === undefined || !('channelId' in unread.place)) continue
      this.#unread.set(id, {
        ...unread,
        place: { channelId, topic: subject ?? unread.place.topic },
      })
    }
  }

  /** A reaction adds the message to the history of the reacting user. */
  reacted({ message_id, user_id }: Item, selfId: number): void {
    if (user_id === selfId) this.#newestId = Math.max(this.#newestId, message_id)
  }

  deleted({ message_ids, message_id }: Item): void {
    this.#lose(message_ids ?? [message_id])
  }

  #lose(ids: readonly number[]): void {
    this.hasLostMessages = true
    for (const id of ids) {
      this.#unread.delete(id)
      this.#starred.delete(id)
    }
  }

  flagged({ op, flag, messages, all, message_details }: Item): void {
    // So does a flag.
    this.#newestId = Math.max(this.#newestId, ...messages)
    if (flag === 'starred') {
      for (const id of messages as number[]) {
        if (op === 'add') this.#starred.add(id)
        else this.#starred.delete(id)
      }
    }
    if (flag !== 'read') return
    if (all) this.#unread.clear()
    for (const id of messages as number[]) {
      if (op === 'add') this.#unread.delete(id)
      else this.#becomeUnread(id, message_details[id])
    }
  }

  #becomeUnread(id: number, details: Item): void {
    const { type, stream_id, topic, user_ids, mentioned } = details
    this.#unread.set(id, {
      place: type === 'private' ? { userIds: user_ids } : { channelId: stream_id, topic },
      isMentioned: mentioned === true,
      isWildcard: false,
    })
  }

  /** The keys of the response that are derived from messages. */
  describe(state: ClientAnswer): Item {
    return {
      max_message_id: this.#newestId,
      starred_messages: [...this.#starred].sort((a, b) => a - b),
      recent_private_conversations: [...this.#conversations]
        .sort(([, a], [, b]) => b - a)
        .map(([userIds, id]) => ({
          max_message_id: id,
          user_ids: userIds === '' ? [] : userIds.split(',').map(Number),
        })),
      unread_msgs: this.#describeUnread(state),
    }
  }

  #describeUnread(state: ClientAnswer): Item {
    const groups = new Map<string, { place: Unread['place']; ids: number[] }>()
    const ids = [...this.#unread.keys()].sort((a, b) => a - b)
    for (const id of ids) {
      const { place } = this.#unread.get(id) as Unread
      const key = keyOf(place, state['user_id'])
      // The spelling of the newest message's topic is used.
      groups.set(key, { place, ids: [...(groups.get(key)?.ids ?? []), id] })
    }
    const pms: Item[] = []
    const streams: Item[] = []
    const huddles: Item[] = []
    for (const { place, ids: unread_message_ids } of groups.values()) {
      if ('channelId' in place) {
        streams.push({ stream_id: place.channelId, topic: place.topic, unread_message_ids })
      } else if (place.userIds.length > 2) {
        const user_ids_string = sorted(place.userIds).join()
        huddles.push({ user_ids_string, unread_message_ids })
      } else {
        const other = place.userIds.find((id) => id !== state['user_id']) ?? state['user_id']
        pms.push({ other_user_id: other, sender_id: other, unread_message_ids })
      }
    }
    const isLoud = (id: number): boolean => {
      const { place } = this.#unread.get(id) as Unread
      return !('channelId' in place) || !isMuted(state, place)
    }
    streams.sort(byPlace)
    return {
      count: ids.filter(isLoud).length,
      pms,
      streams,
      huddles,
      mentions: ids.filter((id) => {
        const { isMentioned, isWildcard } = this.#unread.get(id) as Unread
        return isMentioned || (isWildcard && isLoud(id))
      }),
      old_unreads_missing: false,
    }
  }
}

function mentionsIn(flags: readonly string[]): { isMentioned: boolean; isWildcard: boolean } {
  return {
    isMentioned: flags.includes('mentioned'),
    isWildcard:
      flags.includes('stream_wildcard_mentioned') || flags.includes('topic_wildcard_mentioned'),
  }
}

/** A policy of the topic overrides that of the channel. */
function isMuted(state: ClientAnswer, place: { channelId: number; topic: string }): boolean {
  const topic = (state['user_topics'] as Item[]).find(
    ({ stream_id, topic_name }) =>
      stream_id === place.channelId && topic_name.toLowerCase() === place.topic.toLowerCase(),
  )
  if (topic !== undefined) return !followsOrUnmutes.has(topic['visibility_policy'])
  const channel = (state['subscriptions'] as Item[]).find(
    ({ stream_id }) => stream_id === place.channelId,
  )
  return channel?.['is_muted'] ?? false
}

function byPlace(a: Item, b: Item): number {
  return a['stream_id'] - b['stream_id'] || (a['topic'] < b['topic'] ? -1 : 1)
}

function keyOf(place: Unread['place'], selfId: number): string {
  if ('channelId' in place) return `${place.channelId} ${place.topic.toLowerCase()}`
  return `direct ${sorted(place.userIds.filter((id) => id !== selfId)).join()}`
}

const sorted = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b)
