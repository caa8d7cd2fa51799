import type { Migration } from './migration.js'

/** Messages that outgoing webhook bots have not been called about yet. */
export const outgoingWebhooks: Migration = {
  name: '0023-outgoing-webhooks',
  up(context) {
    context.create('outgoing_webhook_calls', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('bot_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      // Number of calls that were made, or begun.
      t.integer('attempts').notNullable().defaultTo(0)
      // Time of the next call; during a call, the end of its lease.
      t.bigInteger('due_at_seconds').notNullable()
      t.index(['due_at_seconds'])
    })
  },
}
