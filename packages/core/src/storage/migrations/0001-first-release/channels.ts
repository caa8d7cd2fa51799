import type { MigrationContext } from '../migration.js'

/** Channels, their folders and subscriptions, and the topics of users. */
export function channelTables(context: MigrationContext): void {
  context
    .create('channel_folders', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.string('name', 60).notNullable()
      t.string('name_key', 190).notNullable()
      t.text('description').notNullable()
      t.text('rendered_description', 'mediumtext').notNullable()
      t.integer('position').unsigned().notNullable()
      t.integer('creator_id').unsigned().nullable()
      t.bigInteger('created_at_seconds').notNullable()
      t.boolean('is_archived').notNullable()
      t.unique(['organization_id', 'name_key'])
    })
    .create('channels', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.string('external_id', 190).nullable()
      t.integer('recipient_id').unsigned().notNullable()
      t.string('name', 60).notNullable()
      t.string('name_key', 180).notNullable()
      t.text('description').notNullable()
      t.text('rendered_description', 'mediumtext').notNullable()
      t.bigInteger('created_at_seconds').notNullable()
      t.integer('creator_id').unsigned().nullable()
      t.boolean('is_private').notNullable()
      t.boolean('is_history_shared').notNullable()
      t.boolean('is_web_public').notNullable()
      t.boolean('is_archived').notNullable().defaultTo(false)
      t.boolean('is_default').notNullable().defaultTo(false)
      t.boolean('is_recently_active').notNullable().defaultTo(true)
      t.integer('message_retention_days').nullable()
      t.string('topics_policy', 30).notNullable().defaultTo('inherit')
      t.integer('folder_id').unsigned().nullable()
      t.integer('first_message_id').unsigned().nullable()
      // The interned list of recipients of its messages; null when it must be computed again.
      t.integer('audience_id').unsigned().nullable()
      t.integer('version').unsigned().notNullable().defaultTo(0)
      t.text('settings').notNullable()
      t.unique(['organization_id', 'name_key'])
      t.unique(['organization_id', 'external_id'])
      t.index(['folder_id'], context.table('channels_folder'))
      t.index(['organization_id', 'created_at_seconds'], context.table('channels_created'))
    })
    .create('subscriptions', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.boolean('is_active').notNullable()
      // Duplicates the user's own state, so that a send reads one index only.
      t.boolean('is_user_active').notNullable()
      // For newer messages no user messages are written yet. Null if they are written at once.
      t.integer('unwritten_after_message_id').unsigned().nullable()
      t.string('color', 7).notNullable()
      t.boolean('is_muted').notNullable().defaultTo(false)
      t.boolean('pin_to_top').notNullable().defaultTo(false)
      t.boolean('desktop_notifications').nullable()
      t.boolean('audible_notifications').nullable()
      t.boolean('push_notifications').nullable()
      t.boolean('email_notifications').nullable()
      t.boolean('wildcard_mentions_notify').nullable()
      t.primary(['user_id', 'channel_id'])
      // Includes the organization, so that receivers are listed and counted from the index alone.
      t.index(
        ['channel_id', 'is_active', 'is_user_active', 'user_id', 'organization_id'],
        context.table('subscriptions_receivers'),
      )
    })
    .create('user_topics', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().notNullable()
      t.string('topic', 60).notNullable()
      t.string('topic_key', 180).notNullable()
      t.integer('visibility_policy').notNullable()
      t.bigInteger('updated_at_seconds').notNullable()
      t.primary(['user_id', 'channel_id', 'topic_key'])
      t.index(['channel_id', 'topic_key'])
    })
  notifiedReceivers(context)
}

/** The users for whom a message in a channel is written at once, because it notifies them. */
function notifiedReceivers(context: MigrationContext): void {
  const table = context.table('subscriptions')
  const columns = 'channel_id, is_active, is_user_active'
  context.raw(
    context.dialect.name === 'sqlite'
      ? `CREATE INDEX ${table}_notified ON ${table} (${columns}, user_id)
         WHERE unwritten_after_message_id IS NULL`
      : `CREATE INDEX ${table}_notified
         ON ${table} (${columns}, unwritten_after_message_id, user_id)`,
  )
}
