import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { emptyTopicDisplayName, topicKey } from '../../../domain/messages/topics.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { TopicService } from './topic-service.js'
import { mutedTopicsChanged, shownTopic, userTopicChanged } from './user-topic-events.js'
import { UserTopicRepository } from './user-topic-repository.js'
import {
  mutedTopics,
  requireTopic,
  TopicVisibility,
  UserTopicService,
} from './user-topic-service.js'
import { userTopics } from './user-topics-table.js'

export { TopicParticipation } from './topic-participation.js'
export { TopicPolicies } from './topic-policies.js'
export { TopicRepository } from './topic-repository.js'
export { UserTopicRepository } from './user-topic-repository.js'
export { userTopicChanged } from './user-topic-events.js'
export { TopicVisibility, UserTopicService } from './user-topic-service.js'

const updateUserTopic = defineCommand({
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

const muteTopic = defineCommand({
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

const getStreamTopics = defineOperation({
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

/** `user_topics`, and its deprecated form for clients that do not request it by name. */
const userTopicSnapshot = defineSnapshot({
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

const userTopicFile = defineFileSection({
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

export const topics = defineResource({
  operations: [getStreamTopics, updateUserTopic, muteTopic],
  events: [mutedTopicsChanged, userTopicChanged],
  snapshot: userTopicSnapshot,
  fileSection: userTopicFile,
})
