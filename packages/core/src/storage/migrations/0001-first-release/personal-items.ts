import type { MigrationContext } from '../migration.js'

/** Items that users keep for themselves. */
export function personalItemTables(context: MigrationContext): void {
  context
    .create('saved_snippets', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.string('title', 60).notNullable()
      t.text('content').notNullable()
      t.bigInteger('created_at_seconds').notNullable()
      t.index(['user_id', 'id'])
    })
    .create('navigation_views', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.text('fragment').notNullable()
      // SHA-256 of the fragment, hexadecimal: a narrow's fragment is too long for a unique key.
      t.string('fragment_hash', 64).notNullable()
      t.string('name', 200).nullable()
      t.boolean('is_pinned').notNullable()
      t.unique(['user_id', 'fragment_hash'])
      t.unique(['user_id', 'name'])
    })
    .create('drafts', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.string('type', 10).notNullable()
      // JSON list of ids: one channel, or users.
      t.text('recipient_ids', 'mediumtext').notNullable()
      t.string('topic', 60).notNullable()
      t.text('content').notNullable()
      t.double('edited_at_seconds').notNullable()
      t.index(['user_id', 'edited_at_seconds', 'id'])
    })
    .create('scheduled_messages', (t) => {
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
    .create('reminders', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.text('note').notNullable()
      t.bigInteger('deliver_at_seconds').notNullable()
      // Null once it has failed; a sent reminder is deleted.
      t.bigInteger('due_at_seconds').nullable()
      t.index(['user_id', 'deliver_at_seconds'])
      t.index(['due_at_seconds'])
    })
}
