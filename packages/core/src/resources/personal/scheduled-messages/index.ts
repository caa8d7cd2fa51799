import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { normalizeContent } from '../../../domain/messages/message-content.js'
import { normalizeTopic } from '../../../domain/messages/topics.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { toJson } from '../../../storage/index.js'
import { ScheduledMessageDelivery } from './scheduled-message-delivery.js'
import {
  ScheduledMessage,
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
} from './scheduled-message-events.js'
import { ScheduledMessageService } from './scheduled-message-service.js'
import { scheduledMessages as table } from './scheduled-messages-table.js'

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

const getScheduledMessages = defineOperation({
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

const createScheduledMessage = defineOperation({
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

const updateScheduledMessage = defineCommand({
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

const deleteScheduledMessage = defineCommand({
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

/** `scheduled_messages`. */
const scheduledMessageSnapshot = defineSnapshot({
  keys: { scheduled_messages: Type.Array(ScheduledMessage) },
  fetchType: 'scheduled_messages',
  service: ScheduledMessageService,
  async load(scheduled, context) {
    return {
      scheduled_messages: await scheduled.list(context.scope, context.actor.userId),
    }
  },
})

const FileScheduledMessage = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    channel_id: Type.Optional(FileId),
    topic: Type.Optional(Type.String()),
    to: Type.Optional(
      Type.Array(FileId, {
        minItems: 1,
        description: 'The other participants; only the user for a note to self.',
      }),
    ),
    content: Type.String({ minLength: 1 }),
    deliver_at_seconds: FileSeconds,
    read_by_sender: Type.Optional(Type.Boolean()),
    failure: Type.Optional(
      Type.String({
        maxLength: table.columns.failure.maxLength,
        description: 'Why sending it failed.',
      }),
    ),
  },
  closed,
)
type FileScheduledMessage = Static<typeof FileScheduledMessage>

const scheduledMessageFile = defineFileSection({
  key: 'scheduled_messages',
  summary: 'Scheduled messages. Those that are due are sent at once.',
  item: FileScheduledMessage,
  rowsOf: table,
  rows:
    ({ render }) =>
    (item) => {
      const content = normalizeContent(item.content)
      const userIds = recipientsOf(item)
      const isToSelf = item.channel_id === undefined && userIds.join() === String(item.user_id)
      return {
        ...(item.id === undefined ? {} : { id: item.id }),
        user_id: item.user_id,
        channel_id: item.channel_id ?? null,
        user_ids: toJson(userIds),
        topic: item.channel_id === undefined ? '' : normalizeTopic(item.topic ?? ''),
        content,
        rendered_content: render(item.user_id, content),
        deliver_at_seconds: item.deliver_at_seconds,
        read_by_sender: item.read_by_sender ?? !isToSelf,
        client: 'Internal',
        due_at_seconds: item.failure === undefined ? item.deliver_at_seconds : null,
        failure: item.failure === undefined ? null : 'IMPORTED',
        sent_message_id: null,
      }
    },
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      check.requireAllKnown(`${place}/to`, 'user', item.to)
      if ((item.channel_id === undefined) === (item.to === undefined)) {
        check.report(place, 'needs either channel_id or to')
      }
      if (item.channel_id !== undefined) {
        check.requireKnown(`${place}/channel_id`, 'channel', item.channel_id)
        if (item.topic === undefined) check.report(place, 'needs a topic')
      }
      check.requireRule(`${place}/topic`, () => normalizeTopic(item.topic ?? ''))
      check.requireRule(`${place}/content`, () => normalizeContent(item.content))
    }
  },
})

/** Ascending and without the sender, except in a note to self. */
function recipientsOf({ user_id, to = [] }: FileScheduledMessage): number[] {
  const others = [...new Set(to)].filter((id) => id !== user_id).sort((a, b) => a - b)
  return others.length === 0 && to.length > 0 ? [user_id] : others
}

export const scheduledMessages = defineResource({
  operations: [
    getScheduledMessages,
    createScheduledMessage,
    updateScheduledMessage,
    deleteScheduledMessage,
  ],
  events: [scheduledMessagesAdded, scheduledMessageUpdated, scheduledMessageRemoved],
  snapshot: scheduledMessageSnapshot,
  fileSection: scheduledMessageFile,
  backgroundWork: [ScheduledMessageDelivery],
})
