import { Type, type Static } from 'typebox'

import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { addTo } from '../../../kernel/grouping.js'
import type { PlacedUserMessage } from './placed-message-repository.js'

const ids = { unread_message_ids: Type.Array(Type.Integer()) }

/** `unread_msgs` of `POST /register`. */
export const UnreadMessages = Type.Object({
  count: Type.Integer({ description: 'Excludes messages in muted topics and channels.' }),
  pms: Type.Array(
    Type.Object({
      other_user_id: Type.Integer(),
      sender_id: Type.Integer({ description: 'Same as `other_user_id`; deprecated.' }),
      ...ids,
    }),
  ),
  streams: Type.Array(Type.Object({ stream_id: Type.Integer(), topic: Type.String(), ...ids })),
  huddles: Type.Array(
    Type.Object({
      user_ids_string: Type.String({ description: 'Ids separated by commas, ascending.' }),
      ...ids,
    }),
  ),
  mentions: Type.Array(Type.Integer()),
  old_unreads_missing: Type.Boolean({ description: 'Whether older unread messages are omitted.' }),
})
export type UnreadMessages = Static<typeof UnreadMessages>

/**
 * Groups unread messages by conversation.
 *
 * @param userMessages ascending by message id.
 * @param members the participants of each direct conversation, by recipient id.
 */
export function groupUnread(
  userMessages: readonly PlacedUserMessage[],
  members: ReadonlyMap<number, readonly number[]>,
  options: {
    readonly userId: number
    readonly isCut: boolean
    readonly allowsEmptyTopics: boolean
  },
): UnreadMessages {
  const topics = new Map<
    string,
    { stream_id: number; topic: string; unread_message_ids: number[] }
  >()
  const pairs = new Map<number, number[]>()
  const groups = new Map<string, number[]>()
  let count = 0
  for (const userMessage of userMessages) {
    if (!userMessage.isMuted) count += 1
    if (userMessage.channelId !== null) {
      const key = `${userMessage.channelId}/${userMessage.topicKey}`
      const known = topics.get(key)
      const ids = known?.unread_message_ids ?? []
      ids.push(userMessage.messageId)
      const isNamed = userMessage.topic !== '' || options.allowsEmptyTopics
      // The newest message determines the case of the topic.
      const topic = isNamed ? userMessage.topic : emptyTopicDisplayName
      topics.set(key, { stream_id: userMessage.channelId, topic, unread_message_ids: ids })
    } else {
      const participants = members.get(userMessage.recipientId) ?? []
      if (participants.length > 2) addTo(groups, participants.join(','), userMessage.messageId)
      else {
        const other = participants.find((id) => id !== options.userId) ?? options.userId
        addTo(pairs, other, userMessage.messageId)
      }
    }
  }
  return {
    count,
    pms: [...pairs]
      .sort(([a], [b]) => a - b)
      .map(([id, ids]) => ({ other_user_id: id, sender_id: id, unread_message_ids: ids })),
    streams: [...topics.values()].sort(byChannelAndTopic),
    huddles: [...groups]
      .sort(([a], [b]) => compare(a, b))
      .map(([ids, messageIds]) => ({ user_ids_string: ids, unread_message_ids: messageIds })),
    mentions: userMessages.filter(({ isMention }) => isMention).map(({ messageId }) => messageId),
    old_unreads_missing: options.isCut,
  }
}

function byChannelAndTopic(
  a: { stream_id: number; topic: string },
  b: { stream_id: number; topic: string },
): number {
  return a.stream_id - b.stream_id || compare(a.topic, b.topic)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
