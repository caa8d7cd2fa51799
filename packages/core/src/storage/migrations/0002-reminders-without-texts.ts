import type { Migration } from './migration.js'

/** Drops the copies of messages in reminders: they outlived the deletion of the messages. */
export const remindersWithoutTexts: Migration = {
  name: '0002-reminders-without-texts',
  up(context) {
    const reminders = context.table('reminders')
    context.raw(`ALTER TABLE ${reminders} DROP COLUMN content`)
    context.raw(`ALTER TABLE ${reminders} DROP COLUMN rendered_content`)
  },
}
