import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { present } from '../../../kernel/present.js'
import type { ReminderRow } from './reminders-table.js'

/** A reminder of a message. */
export const Reminder = Type.Object(
  {
    reminder_id: Type.Integer(),
    type: Type.Literal('private'),
    to: Type.Array(Type.Integer(), { description: 'The user alone.' }),
    content: Type.String({ description: 'Markdown.' }),
    rendered_content: Type.String({ description: 'HTML.' }),
    scheduled_delivery_timestamp: Type.Integer({ description: 'UNIX seconds.' }),
    failed: Type.Boolean({ description: 'Whether sending it failed.' }),
    reminder_target_message_id: Type.Integer(),
  },
  { additionalProperties: false },
)
export type Reminder = Static<typeof Reminder>

/** The API's object of a row, with the text that its owner may read now. */
export function reminderOf(
  row: Omit<ReminderRow, 'organization_id'>,
  text: Pick<Reminder, 'content' | 'rendered_content'>,
): Reminder {
  return {
    reminder_id: row.id,
    type: 'private',
    to: [row.user_id],
    ...text,
    scheduled_delivery_timestamp: row.deliver_at_seconds,
    failed: row.due_at_seconds === null,
    reminder_target_message_id: row.message_id,
  }
}

export const remindersAdded = defineEvent({
  type: 'reminders',
  op: 'add',
  decidesNothing: true,
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
  decidesNothing: true,
  summary: 'A reminder was sent or deleted. Sent to its user.',
  payload: Type.Object({ reminder_id: Type.Integer() }),
})
