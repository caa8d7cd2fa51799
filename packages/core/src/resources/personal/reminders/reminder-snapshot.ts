import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { Reminder } from './reminder-schemas.js'
import { ReminderService } from './reminder-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const reminderKeys = { reminders: Type.Array(Reminder) }

/** `reminders`. */
@perServer()
export class ReminderSection implements SnapshotSection {
  constructor(@inject(ReminderService) private readonly reminders: ReminderService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('reminders')) return {}
    return { reminders: await this.reminders.list(context.scope, context.actor.userId) }
  }
}
