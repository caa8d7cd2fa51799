import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { parseJson } from '../../../storage/index.js'
import type { ScheduledMessageRow } from './scheduled-messages-table.js'

/** A scheduled message as its sender gets it. */
export const ScheduledMessage = Type.Object(
  {
    scheduled_message_id: Type.Integer({ description: 'The sent message gets another id.' }),
    type: Type.Union([Type.Literal('stream'), Type.Literal('private')]),
    to: Type.Union([Type.Integer(), Type.Array(Type.Integer())], {
      description: 'The channel, or the other participants; the sender in a note to self.',
    }),
    topic: Type.Optional(Type.String()),
    content: Type.String(),
    rendered_content: Type.String(),
    scheduled_delivery_timestamp: Type.Integer({ description: 'UNIX seconds.' }),
    failed: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type ScheduledMessage = Static<typeof ScheduledMessage>

export function scheduledMessageOf(row: ScheduledMessageRow): ScheduledMessage {
  const place =
    row.channel_id === null
      ? ({ type: 'private', to: parseJson(row.user_ids) } as const)
      : ({ type: 'stream', to: row.channel_id, topic: row.topic } as const)
  return {
    scheduled_message_id: row.id,
    ...place,
    content: row.content,
    rendered_content: row.rendered_content,
    scheduled_delivery_timestamp: row.deliver_at_seconds,
    failed: row.failure !== null,
  }
}

export const scheduledMessagesAdded = defineEvent({
  type: 'scheduled_messages',
  op: 'add',
  decidesNothing: true,
  summary: 'A message was scheduled. Sent to its sender.',
  payload: Type.Object({ scheduled_messages: Type.Array(ScheduledMessage) }),
})

export const scheduledMessageUpdated = defineEvent({
  type: 'scheduled_messages',
  op: 'update',
  decidesNothing: true,
  summary: 'A scheduled message was changed, or sending it failed. Sent to its sender.',
  payload: Type.Object({ scheduled_message: ScheduledMessage }),
})

export const scheduledMessageRemoved = defineEvent({
  type: 'scheduled_messages',
  op: 'remove',
  decidesNothing: true,
  summary: 'A scheduled message was sent or deleted. Sent to its sender.',
  payload: Type.Object({ scheduled_message_id: Type.Integer() }),
})
