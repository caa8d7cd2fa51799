import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { ReminderDelivery } from './reminder-delivery.js'
import { Reminder, reminderRemoved, remindersAdded } from './reminder-events.js'
import { ReminderService } from './reminder-service.js'
import { normalizeNote } from './reminder-text.js'
import { reminders as table } from './reminders-table.js'

const getReminders = defineOperation({
  id: 'get-reminders',
  summary: "List the caller's reminders, the next one first.",
  method: 'GET',
  path: '/reminders',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object({ reminders: Type.Array(Reminder) }),
  errors: [],
  service: ReminderService,
  handle: async (reminders, { actor }) => ({ reminders: await reminders.listFor(actor) }),
})

const createMessageReminder = defineOperation({
  id: 'create-message-reminder',
  summary: 'Create a reminder of a message. The notification bot sends it.',
  method: 'POST',
  path: '/reminders',
  access: 'user',
  isPersonal: true,
  params: {
    message_id: Bounded.id(),
    scheduled_delivery_timestamp: Bounded.seconds(),
    note: Bounded.text({ default: '', contentKind: 'reminder.note' }),
  },
  response: Type.Object({ reminder_id: Type.Integer() }),
  errors: ['BAD_REQUEST'],
  service: ReminderService,
  handle: async (reminders, { actor, params }) => ({
    reminder_id: await reminders.create(
      actor,
      params.message_id,
      params.scheduled_delivery_timestamp,
      params.note,
    ),
  }),
})

const deleteReminder = defineCommand({
  id: 'delete-reminder',
  summary: 'Delete a reminder before it is sent.',
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  access: 'user',
  isPersonal: true,
  params: { reminder_id: Bounded.id() },
  errors: ['OBJECT_NOT_FOUND'],
  service: ReminderService,
  handle: (reminders, { actor, params }) => reminders.delete(actor, params.reminder_id),
})

/** `reminders`. */
const reminderSnapshot = defineSnapshot({
  keys: { reminders: Type.Array(Reminder) },
  fetchType: 'reminders',
  service: ReminderService,
  async load(reminders, context) {
    return { reminders: await reminders.list(context.scope, context.actor) }
  },
})

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

const reminderFile = defineFileSection({
  key: 'reminders',
  summary: 'Reminders of messages. Those that are due are sent at once.',
  item: FileReminder,
  rowsOf: table,
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

export const reminders = defineResource({
  operations: [getReminders, createMessageReminder, deleteReminder],
  events: [remindersAdded, reminderRemoved],
  snapshot: reminderSnapshot,
  fileSection: reminderFile,
  backgroundWork: [ReminderDelivery],
})
