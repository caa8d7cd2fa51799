import { Type, type Static } from 'typebox'

import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { reminders } from './reminders-table.js'
import { normalizeNote } from './reminder-text.js'

const FileReminder = Type.Object(
  {
    id: Type.Optional(FileId),
    user_id: FileId,
    message_id: FileId,
    note: Type.Optional(Type.String()),
    deliver_at_seconds: FileSeconds,
    is_failed: Type.Optional(Type.Boolean({ description: 'Whether sending it failed.' })),
  },
  closed,
)
type FileReminder = Static<typeof FileReminder>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    reminders: FileReminder
  }
}

export const reminderFile = defineFileSection({
  key: 'reminders',
  summary: 'Reminders of messages. Those that are due are sent at once.',
  item: FileReminder,
  rowsOf: reminders,
  rows: () => (item) => {
    const { user_id, message_id, deliver_at_seconds } = item
    return {
      ...(item.id === undefined ? {} : { id: item.id }),
      user_id,
      message_id,
      note: normalizeNote(item.note ?? ''),
      deliver_at_seconds,
      due_at_seconds: item.is_failed === true ? null : deliver_at_seconds,
    }
  },
  async check(items, check) {
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      check.requireKnown(`${place}/message_id`, 'message', item.message_id)
      check.requireRule(`${place}/note`, () => normalizeNote(item.note ?? ''))
    }
  },
})
