import { Type, type Static } from 'typebox'

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
  row: ReminderRow,
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
