import type { Migration } from './migration.js'

/** Reminders of messages. */
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
      // Null once it has failed; a sent reminder is deleted.
      t.bigInteger('due_at_seconds').nullable()
      t.index(['user_id', 'deliver_at_seconds'])
      t.index(['due_at_seconds'])
    })
  },
}
