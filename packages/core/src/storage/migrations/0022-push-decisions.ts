import type { Migration } from './migration.js'

/** Who is notified is decided in the transaction that sends; what is being sent is only leased. */
export const pushDecisions: Migration = {
  name: '0022-push-decisions',
  up(context) {
    context.schema.dropTable(context.table('push_messages'))
    context.schema.alterTable(context.table('push_notifications'), (t) => {
      // JSON of the ids of those devices that have it already; null for none.
      t.text('accepted_device_ids').nullable()
    })
    context.schema.alterTable(context.table('event_queues'), (t) => {
      t.boolean('takes_messages').notNullable().defaultTo(true)
    })
  },
}
