import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { Attachment } from '../../files/attachments/index.js'
import { MessageDeletion } from './message-deletion.js'
import { messagesDeleted, messagesUpdated } from './message-edit-events.js'
import { MessageEditService } from './message-edit-service.js'
import { MessageHistory } from './message-history.js'

export { messagesDeleted, messagesUpdated } from './message-edit-events.js'
export {
  MessageEditStepToken,
  type EditedMessage,
  type MessageEditStep,
  type StoredEdit,
} from './message-edit-steps.js'
export { MessageErasure } from './message-erasure.js'

const updateMessage = defineOperation({
  id: 'update-message',
  summary: 'Edit the content of a message, or move it and other messages of its topic.',
  method: 'PATCH',
  path: '/messages/{message_id}',
  access: 'user',
  params: {
    message_id: Bounded.id(),
    topic: Type.Optional(Bounded.topic({ aliases: ['subject'], contentKind: 'message.topic' })),
    propagate_mode: Type.Union(
      [Type.Literal('change_one'), Type.Literal('change_later'), Type.Literal('change_all')],
      { default: 'change_one' },
    ),
    send_notification_to_old_thread: Type.Boolean({ default: false }),
    send_notification_to_new_thread: Type.Boolean({ default: true }),
    content: Type.Optional(Bounded.text({ contentKind: 'message.content', unstorable: 'own' })),
    prev_content_sha256: Type.Optional(Bounded.name()),
    stream_id: Type.Optional(Bounded.id()),
  },
  response: Type.Object({ detached_uploads: Type.Array(Attachment) }),
  errors: [
    'BAD_REQUEST',
    'EXPECTATION_MISMATCH',
    'TOPIC_POLICY_VIOLATED',
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  service: MessageEditService,
  async handle(messages, { actor, params }) {
    const detached_uploads = await messages.edit(actor, params.message_id, {
      content: params.content,
      expectedSha256: params.prev_content_sha256,
      topic: params.topic,
      channelId: params.stream_id,
      mode: params.propagate_mode,
      notifiesOldTopic: params.send_notification_to_old_thread,
      notifiesNewTopic: params.send_notification_to_new_thread,
    })
    return { detached_uploads: [...detached_uploads] }
  },
})

const deleteMessage = defineCommand({
  id: 'delete-message',
  summary: 'Delete a message.',
  method: 'DELETE',
  path: '/messages/{message_id}',
  access: 'user',
  params: { message_id: Bounded.id() },
  errors: ['BAD_REQUEST'],
  service: MessageDeletion,
  handle: (messages, { actor, params }) => messages.delete(actor, params.message_id),
})

const deleteTopic = defineOperation({
  id: 'delete-topic',
  summary: 'Delete all messages of a topic.',
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  access: 'administrator',
  params: { stream_id: Bounded.id(), topic_name: Bounded.topic() },
  response: Type.Object({ complete: Type.Boolean() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: MessageDeletion,
  handle: async (messages, { actor, params }) => ({
    complete: await messages.deleteTopic(actor, params.stream_id, params.topic_name),
  }),
})

const getMessageHistory = defineOperation({
  id: 'get-message-history',
  summary: 'List the versions of a message, oldest first.',
  method: 'GET',
  path: '/messages/{message_id}/history',
  access: 'user',
  params: { message_id: Bounded.id(), allow_empty_topic_name: Type.Boolean({ default: false }) },
  response: Type.Object({
    message_history: Type.Array(
      Type.Object({
        topic: Type.String(),
        content: Type.String(),
        rendered_content: Type.String(),
        user_id: Type.Union([Type.Integer(), Type.Null()]),
        timestamp: Type.Integer(),
        prev_topic: Type.Optional(Type.String()),
        prev_stream: Type.Optional(Type.Integer()),
        stream: Type.Optional(Type.Integer()),
        prev_content: Type.Optional(Type.String()),
        prev_rendered_content: Type.Optional(Type.String()),
        content_html_diff: Type.Optional(Type.String()),
      }),
    ),
  }),
  errors: ['BAD_REQUEST'],
  service: MessageHistory,
  handle: async (history, { actor, params }) => ({
    message_history: await history.versions(
      actor,
      params.message_id,
      params.allow_empty_topic_name,
    ),
  }),
})

const getReadReceipts = defineOperation({
  id: 'get-read-receipts',
  summary: 'List the users who have read a message and who send read receipts.',
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  access: 'user',
  params: { message_id: Bounded.id() },
  response: Type.Object({ user_ids: Type.Array(Type.Integer()) }),
  errors: ['BAD_REQUEST'],
  service: MessageHistory,
  handle: async (history, { actor, params }) => ({
    user_ids: await history.usersWhoRead(actor, params.message_id),
  }),
})

export const messageEditing = defineResource({
  operations: [updateMessage, deleteMessage, deleteTopic, getMessageHistory, getReadReceipts],
  events: [messagesUpdated, messagesDeleted],
})
