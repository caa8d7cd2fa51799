import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { defineOperation } from '../../../http/operation.js'
import { TopicService } from './topic-service.js'

export const getStreamTopics = defineOperation({
  id: 'get-stream-topics',
  summary: 'List the topics of a channel, the one with the newest message first.',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  access: 'userOrSpectator',
  params: {
    stream_id: Bounded.id(),
    allow_empty_topic_name: Type.Boolean({ default: false }),
  },
  response: Type.Object({
    topics: Type.Array(
      Type.Object({
        name: Type.String(),
        max_id: Type.Integer({ description: 'The id of the newest message.' }),
      }),
    ),
  }),
  errors: ['BAD_REQUEST'],
  service: TopicService,
  async handle(service, { actor, params }) {
    const topics = await service.list(actor, params.stream_id)
    return {
      topics: topics.map(({ topic, id }) => ({
        name: topic === '' && !params.allow_empty_topic_name ? emptyTopicDisplayName : topic,
        max_id: id,
      })),
    }
  },
})
