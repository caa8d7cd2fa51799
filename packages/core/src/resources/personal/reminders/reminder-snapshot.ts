import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { Reminder } from './reminder-schemas.js'
import { ReminderService } from './reminder-service.js'

/** `reminders`. */
export const reminderSnapshot = defineSnapshot({
  keys: { reminders: Type.Array(Reminder) },
  fetchType: 'reminders',
  service: ReminderService,
  async load(reminders, context) {
    return { reminders: await reminders.list(context.scope, context.actor) }
  },
})
