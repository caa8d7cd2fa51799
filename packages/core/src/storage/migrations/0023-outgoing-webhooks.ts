import type { Migration } from './migration.js'

/** Messages that outgoing webhook bots are yet to be called about. */
export const outgoingWebhooks: Migration = {
  name: '0023-outgoing-webhooks',
  up(context) {
    context.create('outgoing_webhook_calls', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('bot_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      // How often somebody has called, or begun to.
      t.integer('attempts').notNullable().defaultTo(0)
      // When to call next; while somebody does, when others may.
      t.bigInteger('due_at_seconds').notNullable()
      t.index(['due_at_seconds'])
    })
  },
}
