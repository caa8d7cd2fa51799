import type { Migration } from './migration.js'

/**
 * The recipients of a push notification are decided in the transaction that sends the message;
 * sending only leases the rows.
 */
export const pushDecisions: Migration = {
  name: '0022-push-decisions',
  up(context) {
    context.schema.dropTable(context.table('push_messages'))
    context.schema.alterTable(context.table('push_notifications'), (t) => {
      // JSON of the ids of the devices that have received it already; null for none.
      t.text('accepted_device_ids').nullable()
    })
    context.schema.alterTable(context.table('event_queues'), (t) => {
      t.boolean('takes_messages').notNullable().defaultTo(true)
    })
  },
}
