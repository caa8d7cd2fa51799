import { defineResource } from '../../../resource-definition/resource.js'
import { ReminderDelivery } from './reminder-delivery.js'
import { reminderRemoved, remindersAdded } from './reminder-events.js'
import { reminderFile } from './reminder-file-section.js'
import { createMessageReminder, deleteReminder, getReminders } from './reminder-operations.js'
import { reminderSnapshot } from './reminder-snapshot.js'

export const reminders = defineResource({
  operations: [getReminders, createMessageReminder, deleteReminder],
  events: [remindersAdded, reminderRemoved],
  snapshot: reminderSnapshot,
  fileSection: reminderFile,
  backgroundWork: [ReminderDelivery],
})
