import type { Migration } from './migration.js'

/** When users were last present, and their statuses. */
export const presence: Migration = {
  name: '0007-presence',
  up(context) {
    context.schema.alterTable(context.table('organizations'), (t) => {
      // The newest `update_id` of the organization's presences.
      t.bigInteger('presence_update_id').notNullable().defaultTo(0)
    })
    context
      .create('presences', (t) => {
        t.integer('organization_id').unsigned().notNullable()
        t.integer('user_id').unsigned().notNullable().primary()
        // Null for a user who was connected but never active.
        t.bigInteger('active_at_seconds').nullable()
        t.bigInteger('connected_at_seconds').notNullable()
        // From the organization's counter, incremented by every change of the row.
        t.bigInteger('update_id').notNullable()
        t.index(['organization_id', 'update_id'])
        t.index(['organization_id', 'connected_at_seconds'])
      })
      .create('user_statuses', (t) => {
        t.integer('organization_id').unsigned().notNullable().index()
        t.integer('user_id').unsigned().notNullable().primary()
        t.string('status_text', 60).notNullable()
        // Empty without an emoji, like the code.
        t.string('emoji_name', 100).notNullable()
        t.string('emoji_code', 100).notNullable()
        t.string('reaction_type', 20).notNullable()
      })
  },
}
