import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { ScheduledMessage } from './scheduled-message-schemas.js'
import { ScheduledMessageService } from './scheduled-message-service.js'

const MessageType = Type.Union(
  [
    Type.Literal('direct'),
    Type.Literal('channel'),
    Type.Literal('stream'),
    Type.Literal('private'),
  ],
  { invalid: 'listed' },
)
const Target = Type.Union([Bounded.id(), Bounded.ids()])

const errors = [
  'BAD_REQUEST',
  'STREAM_DOES_NOT_EXIST',
  'TOPIC_POLICY_VIOLATED',
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
] as const

export const getScheduledMessages = defineOperation({
  id: 'get-scheduled-messages',
  summary: "List the caller's scheduled messages that were not sent.",
  method: 'GET',
  path: '/scheduled_messages',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object({ scheduled_messages: Type.Array(ScheduledMessage) }),
  errors: [],
  service: ScheduledMessageService,
  handle: async (scheduled, { actor }) => ({
    scheduled_messages: await scheduled.listFor(actor),
  }),
})

export const createScheduledMessage = defineOperation({
  id: 'create-scheduled-message',
  summary: 'Schedule a message.',
  method: 'POST',
  path: '/scheduled_messages',
  access: 'user',
  isPersonal: true,
  params: {
    type: MessageType,
    to: Target,
    content: Bounded.text({ contentKind: 'message.content', unstorable: 'own' }),
    topic: Type.Optional(Bounded.topic({ aliases: ['subject'], contentKind: 'message.topic' })),
    scheduled_delivery_timestamp: Bounded.seconds(),
    read_by_sender: Type.Optional(Type.Boolean()),
  },
  response: Type.Object({ scheduled_message_id: Type.Integer() }),
  errors,
  service: ScheduledMessageService,
  handle: async (scheduled, { actor, params, request }) => ({
    scheduled_message_id: await scheduled.create(actor, {
      type: params.type,
      to: params.to,
      topic: params.topic,
      content: params.content,
      deliverAtSeconds: params.scheduled_delivery_timestamp,
      readBySender: params.read_by_sender,
      clientName: request.clientName,
    }),
  }),
})

export const updateScheduledMessage = defineCommand({
  id: 'update-scheduled-message',
  summary: 'Change a scheduled message.',
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  access: 'user',
  isPersonal: true,
  params: {
    scheduled_message_id: Bounded.id(),
    type: Type.Optional(MessageType),
    to: Type.Optional(Target),
    content: Type.Optional(Bounded.text({ contentKind: 'message.content', unstorable: 'own' })),
    topic: Type.Optional(Bounded.topic({ aliases: ['subject'], contentKind: 'message.topic' })),
    scheduled_delivery_timestamp: Type.Optional(Bounded.seconds()),
  },
  errors: [...errors, 'OBJECT_NOT_FOUND'],
  service: ScheduledMessageService,
  handle: (scheduled, { actor, params, request }) =>
    scheduled.edit(actor, params.scheduled_message_id, {
      type: params.type,
      to: params.to,
      topic: params.topic,
      content: params.content,
      deliverAtSeconds: params.scheduled_delivery_timestamp,
      clientName: request.clientName,
    }),
})

export const deleteScheduledMessage = defineCommand({
  id: 'delete-scheduled-message',
  summary: 'Delete a scheduled message before it is sent.',
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  access: 'user',
  isPersonal: true,
  params: { scheduled_message_id: Bounded.id() },
  errors: ['OBJECT_NOT_FOUND'],
  service: ScheduledMessageService,
  handle: (scheduled, { actor, params }) => scheduled.delete(actor, params.scheduled_message_id),
})
