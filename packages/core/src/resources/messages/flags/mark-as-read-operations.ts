import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { MarkAsRead } from './mark-as-read.js'

const Empty = Type.Object({}, { additionalProperties: false })

export const markAllAsRead = defineOperation({
  id: 'mark-all-as-read',
  summary: 'Mark all messages as read, within the time limit of a request. Deprecated.',
  method: 'POST',
  path: '/mark_all_as_read',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object(
    {
      complete: Type.Boolean({ description: 'Whether all messages are marked as read.' }),
    },
    { additionalProperties: false },
  ),
  errors: [],
  service: MarkAsRead,
  async handle(reading, { actor }) {
    return { complete: await reading.all(actor) }
  },
})

export const markStreamAsRead = defineOperation({
  id: 'mark-stream-as-read',
  summary: 'Mark all messages of a channel as read. Deprecated.',
  method: 'POST',
  path: '/mark_stream_as_read',
  access: 'user',
  isPersonal: true,
  params: { stream_id: Bounded.id() },
  response: Empty,
  errors: ['BAD_REQUEST'],
  service: MarkAsRead,
  async handle(reading, { actor, params }) {
    await reading.channel(actor, params.stream_id)
    return {}
  },
})

export const markTopicAsRead = defineOperation({
  id: 'mark-topic-as-read',
  summary: 'Mark all messages of a topic as read. Deprecated.',
  method: 'POST',
  path: '/mark_topic_as_read',
  access: 'user',
  isPersonal: true,
  params: { stream_id: Bounded.id(), topic_name: Bounded.topic() },
  response: Empty,
  errors: ['BAD_REQUEST'],
  service: MarkAsRead,
  async handle(reading, { actor, params }) {
    await reading.topic(actor, params.stream_id, params.topic_name)
    return {}
  },
})
