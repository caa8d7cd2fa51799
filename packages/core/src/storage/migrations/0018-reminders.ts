import type { Migration } from './migration.js'

/** Messages that users want to be reminded of. */
export const reminders: Migration = {
  name: '0018-reminders',
  up(context) {
    context.create('reminders', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.text('note').notNullable()
      t.text('content', 'mediumtext').notNullable()
      t.text('rendered_content', 'mediumtext').notNullable()
      t.bigInteger('deliver_at_seconds').notNullable()
      // Null once it has failed; one that was sent is removed.
      t.bigInteger('due_at_seconds').nullable()
      t.index(['user_id', 'deliver_at_seconds'])
      t.index(['due_at_seconds'])
    })
  },
}
