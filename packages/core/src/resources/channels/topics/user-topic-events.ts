import { Type } from 'typebox'

import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { defineEvent } from '../../../events/event.js'
import type { EventQueue } from '../../../events/queues/event-queue.js'

/** Name of the channel, topic, and when it was muted in UNIX seconds. */
export type MutedTopic = readonly [string, string, number]

export const mutedTopicsChanged = defineEvent<{ readonly mutedTopics: readonly MutedTopic[] }>({
  type: 'muted_topics',
  summary:
    'Deprecated: all muted topics of the user. Sent to that user, unless the client requests `user_topic`.',
  payload: Type.Object({
    muted_topics: Type.Array(Type.Array(Type.Union([Type.String(), Type.Integer()]))),
  }),
  isLegacy: true,
  accepts: (_, queue) => queue.eventTypes?.includes('user_topic') !== true,
  variant: knowsEmptyTopic,
  render: ({ mutedTopics }, queue) => [
    {
      type: 'muted_topics',
      muted_topics: mutedTopics.map(([channel, topic, time]) => [
        channel,
        shownTopic(topic, queue),
        time,
      ]),
    },
  ],
})

export interface UserTopicChange {
  readonly channelId: number
  readonly topic: string
  readonly updatedAtSeconds: number
  readonly visibilityPolicy: number
}

export const userTopicChanged = defineEvent<UserTopicChange>({
  type: 'user_topic',
  summary: 'A user changed the visibility policy of a topic. Sent to that user.',
  payload: Type.Object({
    stream_id: Type.Integer(),
    topic_name: Type.String(),
    last_updated: Type.Integer({ description: 'UNIX seconds.' }),
    visibility_policy: Type.Integer({ description: '0 none, 1 muted, 2 unmuted, 3 followed.' }),
  }),
  variant: knowsEmptyTopic,
  render: ({ channelId, topic, updatedAtSeconds, visibilityPolicy }, queue) => [
    {
      type: 'user_topic',
      stream_id: channelId,
      topic_name: shownTopic(topic, queue),
      last_updated: updatedAtSeconds,
      visibility_policy: visibilityPolicy,
    },
  ],
})

/** The topic's name for the clients of a queue. */
export function shownTopic(topic: string, queue: Pick<EventQueue, 'capabilities'>): string {
  if (topic !== '' || queue.capabilities.empty_topic_name === true) return topic
  return emptyTopicDisplayName
}

function knowsEmptyTopic(queue: EventQueue): string {
  return queue.capabilities.empty_topic_name === true ? 'e' : ''
}
