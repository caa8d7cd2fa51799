import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { shownTopic } from './user-topic-events.js'
import { UserTopicRepository } from './user-topic-repository.js'
import { mutedTopics } from './user-topic-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const userTopicKeys = {
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
}

/** `user_topics`, and its deprecated form for clients that do not request it by name. */
@perServer()
export class UserTopicSnapshot implements SnapshotSection {
  constructor(@inject(UserTopicRepository) private readonly topics: UserTopicRepository) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    const wantsMuted = context.wants('muted_topics') && !context.names('user_topic')
    if (!context.wants('user_topic') && !wantsMuted) return {}
    const rows = await this.topics.listOfUser(context.scope, context.actor.userId)
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
  }
}
