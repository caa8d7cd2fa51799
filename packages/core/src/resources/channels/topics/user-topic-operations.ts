import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { UserTopicService } from './user-topic-service.js'

export const updateUserTopic = defineCommand({
  id: 'update-user-topic',
  summary: 'Mute, unmute or follow a topic, or reset its visibility policy.',
  method: 'POST',
  path: '/user_topics',
  access: 'user',
  isPersonal: true,
  params: {
    stream_id: Bounded.id(),
    topic: Bounded.topic({ trim: true }),
    visibility_policy: Type.Union(
      [0, 1, 2, 3].map((policy) => Type.Literal(policy)),
      { invalid: 'listed', description: '0 none, 1 muted, 2 unmuted, 3 followed.' },
    ),
  },
  errors: ['BAD_REQUEST'],
  service: UserTopicService,
  handle: (topics, { actor, params }) =>
    topics.set(actor, params.stream_id, params.topic, Number(params.visibility_policy)),
})

export const muteTopic = defineCommand({
  id: 'mute-topic',
  summary: 'Deprecated: mute or unmute a topic.',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  access: 'user',
  isPersonal: true,
  params: {
    stream_id: Type.Optional(Bounded.id()),
    stream: Type.Optional(Bounded.name()),
    topic: Bounded.topic({ trim: true }),
    op: Type.Union([Type.Literal('add'), Type.Literal('remove')]),
  },
  errors: ['BAD_REQUEST', 'REQUEST_VARIABLE_MISSING', 'UNSUPPORTED_COMBINATION'],
  service: UserTopicService,
  async handle(topics, { actor, params }) {
    const channel = { id: params.stream_id, name: params.stream }
    await topics.mute(actor, channel, params.topic, params.op)
  },
})
