import { Type } from 'typebox'

import { topicKey } from '../../../domain/messages/topics.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { userTopics } from './user-topics-table.js'
import { requireTopic, TopicVisibility } from './user-topic-service.js'

const FileUserTopic = Type.Object(
  {
    user_id: FileId,
    channel_id: FileId,
    topic: Type.String(),
    policy: Type.Union([Type.Literal('muted'), Type.Literal('unmuted'), Type.Literal('followed')]),
    updated_at_seconds: Type.Optional(FileSeconds),
  },
  closed,
)

export const userTopicFile = defineFileSection({
  key: 'user_topics',
  summary: "Users' visibility policies of topics. Importing messages adds none.",
  item: FileUserTopic,
  rowsOf: userTopics,
  rows:
    ({ createdAtSeconds }) =>
    ({ policy, ...item }) => {
      const topic = requireTopic(item.topic)
      return {
        updated_at_seconds: createdAtSeconds,
        ...item,
        topic,
        topic_key: topicKey(topic),
        visibility_policy: TopicVisibility[policy],
      }
    },
  async check(items, check) {
    const once = check.once()
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      check.requireKnown(`${place}/channel_id`, 'channel', item.channel_id)
      const topic = check.requireRule(`${place}/topic`, () => requireTopic(item.topic))
      if (topic === undefined) continue
      once(`${place}/topic`, `${item.user_id} ${item.channel_id} ${topicKey(topic)}`, topic)
    }
  },
})
