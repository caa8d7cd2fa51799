import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { Reminder } from './reminder-schemas.js'
import { ReminderService } from './reminder-service.js'

export const getReminders = defineOperation({
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

export const createMessageReminder = defineOperation({
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

export const deleteReminder = defineOperation({
  id: 'delete-reminder',
  summary: 'Delete a reminder before it is sent.',
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  access: 'user',
  isPersonal: true,
  params: { reminder_id: Bounded.id() },
  response: Type.Object({}),
  errors: ['OBJECT_NOT_FOUND'],
  service: ReminderService,
  async handle(reminders, { actor, params }) {
    await reminders.delete(actor, params.reminder_id)
    return {}
  },
})
