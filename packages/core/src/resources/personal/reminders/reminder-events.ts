import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { present } from '../../../kernel/present.js'
import { Reminder } from './reminder-schemas.js'

export const remindersAdded = defineEvent({
  type: 'reminders',
  op: 'add',
  summary: 'A user created a reminder for a message. Sent to that user.',
  payload: Type.Object({ reminders: Type.Array(Reminder) }),
  messageId: ({ reminders: [reminder] }) =>
    present(reminder, 'the reminder of the event').reminder_target_message_id,
  withoutText: ({ reminders }) => ({
    reminders: reminders.map((reminder) => ({ ...reminder, content: '', rendered_content: '' })),
  }),
})

export const reminderRemoved = defineEvent({
  type: 'reminders',
  op: 'remove',
  summary: 'A reminder was sent or deleted. Sent to its user.',
  payload: Type.Object({ reminder_id: Type.Integer() }),
})
