import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { shownTopic } from './user-topic-events.js'
import { UserTopicRepository } from './user-topic-repository.js'
import { mutedTopics } from './user-topic-service.js'

/** `user_topics`, and its deprecated form for clients that do not request it by name. */
export const userTopicSnapshot = defineSnapshot({
  keys: {
    user_topics: Type.Array(
      Type.Object({
        stream_id: Type.Integer(),
        topic_name: Type.String(),
        last_updated: Type.Integer({ description: 'UNIX seconds.' }),
        visibility_policy: Type.Integer({ description: '1 muted, 2 unmuted, 3 followed.' }),
      }),
    ),
    muted_topics: Type.Array(Type.Array(Type.Union([Type.String(), Type.Integer()])), {
      description: "Deprecated: a channel's name, a topic, and when it was muted in UNIX seconds.",
    }),
  },
  service: UserTopicRepository,
  async load(topics, context) {
    const wantsMuted = context.wants('muted_topics') && !context.names('user_topic')
    if (!context.wants('user_topic') && !wantsMuted) return {}
    const rows = await topics.listOfUser(context.scope, context.actor.userId)
    return {
      ...(context.wants('user_topic') && {
        user_topics: rows.map((row) => ({
          stream_id: row.channel_id,
          topic_name: shownTopic(row.topic, context.queue),
          last_updated: row.updated_at_seconds,
          visibility_policy: row.visibility_policy,
        })),
      }),
      ...(wantsMuted && {
        muted_topics: mutedTopics(rows).map(([channel, topic, time]) => [
          channel,
          shownTopic(topic, context.queue),
          time,
        ]),
      }),
    }
  },
})
