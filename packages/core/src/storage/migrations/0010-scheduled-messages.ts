import type { Migration } from './migration.js'

/** Scheduled messages. */
export const scheduledMessages: Migration = {
  name: '0010-scheduled-messages',
  up(context) {
    context.create('scheduled_messages', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      // Null for direct messages.
      t.integer('channel_id').unsigned().nullable()
      // JSON: the participants of a direct message without its sender, ascending.
      t.text('user_ids').notNullable()
      t.string('topic', 60).notNullable()
      t.text('content').notNullable()
      t.text('rendered_content', 'mediumtext').notNullable()
      t.bigInteger('deliver_at_seconds').notNullable()
      t.boolean('read_by_sender').notNullable()
      t.string('client', 30).notNullable()
      // Null once it has been sent or has failed.
      t.bigInteger('due_at_seconds').nullable()
      t.string('failure', 500).nullable()
      t.integer('sent_message_id').unsigned().nullable()
      t.index(['organization_id', 'user_id', 'deliver_at_seconds'], context.table('scheduled_own'))
      t.index(['due_at_seconds'], context.table('scheduled_due'))
    })
  },
}
