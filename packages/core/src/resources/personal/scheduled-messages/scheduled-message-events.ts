import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { ScheduledMessage } from './scheduled-message-schemas.js'

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
