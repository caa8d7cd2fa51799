import { Type } from 'typebox'

import { emptyTopicDisplayName } from '../../../domain/messages/topics.js'
import { defineEvent } from '../../../events/event.js'
import type { EventQueue } from '../../../events/queues/event-queue.js'

/** A change of one or several messages; the keys are those that clients receive. */
export interface MessageUpdate {
  readonly user_id: number
  readonly edit_timestamp: number
  readonly message_id: number
  /** Ascending; contains `message_id`. */
  readonly message_ids: readonly number[]
  readonly rendering_only: false
  readonly stream_id?: number
  readonly stream_name?: string
  readonly new_stream_id?: number
  readonly propagate_mode?: string
  readonly orig_subject?: string
  readonly subject?: string
  readonly topic_links?: readonly { readonly text: string; readonly url: string }[]
  readonly orig_content?: string
  readonly orig_rendered_content?: string
  readonly content?: string
  readonly rendered_content?: string
  readonly is_me_message?: boolean
}

const showsEmptyTopics = (queue: EventQueue): boolean =>
  queue.capabilities.empty_topic_name === true

const shown = (topic: string, queue: EventQueue): string =>
  topic === '' && !showsEmptyTopics(queue) ? emptyTopicDisplayName : topic

export const messagesUpdated = defineEvent<MessageUpdate>({
  type: 'update_message',
  messageId: ({ message_id }) => message_id,
  withoutText: (update) => (update.message_ids.length === 1 ? undefined : moveAlone(update)),
  movedBetween: ({ stream_id, new_stream_id }) =>
    stream_id === undefined || new_stream_id === undefined ? [] : [stream_id, new_stream_id],
  summary:
    'Messages were edited or moved. Sent to all users who received one of them, and to subscribers who may read it.',
  payload: Type.Object({
    user_id: Type.Integer(),
    edit_timestamp: Type.Integer(),
    message_id: Type.Integer(),
    message_ids: Type.Array(Type.Integer()),
    flags: Type.Array(Type.String()),
    rendering_only: Type.Boolean(),
    stream_id: Type.Optional(Type.Integer()),
    stream_name: Type.Optional(Type.String()),
    new_stream_id: Type.Optional(Type.Integer()),
    propagate_mode: Type.Optional(Type.String()),
    orig_subject: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    topic_links: Type.Optional(
      Type.Array(Type.Object({ text: Type.String(), url: Type.String() })),
    ),
    orig_content: Type.Optional(Type.String()),
    orig_rendered_content: Type.Optional(Type.String()),
    content: Type.Optional(Type.String()),
    rendered_content: Type.Optional(Type.String()),
    is_me_message: Type.Optional(Type.Boolean()),
  }),
  defaultFields: () => ({ flags: ['read'] }),
  variant: (queue) => (showsEmptyTopics(queue) ? 'e' : 'n'),
  render: (update, queue) => [
    {
      type: 'update_message',
      ...update,
      ...(update.orig_subject === undefined
        ? {}
        : { orig_subject: shown(update.orig_subject, queue) }),
      ...(update.subject === undefined ? {} : { subject: shown(update.subject, queue) }),
    },
  ],
})

/** The move of an update, without the content of the message that was edited at the same time. */
function moveAlone(update: MessageUpdate): MessageUpdate {
  const {
    orig_content: _originalContent,
    orig_rendered_content: _originalHtml,
    content: _content,
    rendered_content: _html,
    ...move
  } = update
  return move
}

/** Messages of one conversation that were deleted, or moved where the recipients cannot read. */
export interface MessageRemoval {
  /** Ascending. */
  readonly messageIds: readonly number[]
  /** Null for direct messages. */
  readonly place: { readonly channelId: number; readonly topic: string } | null
}

export const messagesDeleted = defineEvent<MessageRemoval>({
  type: 'delete_message',
  summary:
    'Messages were deleted, or moved to a channel that the recipient cannot read. Sent to the users who get other events about them.',
  payload: Type.Object({
    message_ids: Type.Optional(Type.Array(Type.Integer())),
    message_id: Type.Optional(Type.Integer()),
    message_type: Type.Union([Type.Literal('private'), Type.Literal('stream')]),
    stream_id: Type.Optional(Type.Integer()),
    topic: Type.Optional(Type.String()),
  }),
  variant: (queue) =>
    `${queue.capabilities.bulk_message_deletion === true ? 'b' : 's'}${showsEmptyTopics(queue) ? 'e' : 'n'}`,
  render({ messageIds, place }, queue) {
    const where =
      place === null
        ? { message_type: 'private' }
        : {
            message_type: 'stream',
            stream_id: place.channelId,
            topic: shown(place.topic, queue),
          }
    if (queue.capabilities.bulk_message_deletion === true) {
      return [{ type: 'delete_message', message_ids: messageIds, ...where }]
    }
    return messageIds.map((message_id) => ({ type: 'delete_message', message_id, ...where }))
  },
})
