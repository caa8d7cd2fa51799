import type { Migration, MigrationContext } from './migration.js'

/** Organizations, users, groups, channels, messages, and the event log. */
export const initialSchema: Migration = {
  name: '0001-initial-schema',
  up(context) {
    organizations(context)
    users(context)
    groups(context)
    channels(context)
    messages(context)
    events(context)
  },
}

function organizations(context: MigrationContext): void {
  context
    .create('server_secrets', (t) => {
      t.string('name', 40).primary()
      t.string('value', 200).notNullable()
    })
    .create('organizations', (t) => {
      t.increments('id')
      t.string('subdomain', 100).notNullable().unique()
      t.string('name', 160).notNullable()
      t.bigInteger('created_at_seconds').notNullable()
      t.boolean('is_deactivated').notNullable().defaultTo(false)
      // Renewed when the log is reset, so that no queue of the old log continues in the new one.
      t.string('epoch', 20).notNullable()
      t.bigInteger('event_seq').notNullable().defaultTo(0)
      t.bigInteger('event_floor_seq').notNullable().defaultTo(0)
      t.integer('active_audience_id').unsigned().nullable()
      t.text('settings', 'mediumtext').notNullable()
      t.text('user_defaults', 'mediumtext').notNullable()
    })
}

function users(context: MigrationContext): void {
  context
    .create('users', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.string('external_id', 190).nullable()
      t.string('email', 254).notNullable()
      t.string('email_key', 254).notNullable()
      t.string('full_name', 200).notNullable()
      t.string('full_name_key', 300).notNullable()
      t.integer('role').notNullable()
      t.boolean('is_active').notNullable()
      t.boolean('is_bot').notNullable()
      t.integer('bot_type').nullable()
      t.integer('bot_owner_id').unsigned().nullable()
      t.bigInteger('joined_at_milliseconds').notNullable()
      t.string('timezone', 60).notNullable().defaultTo('')
      t.string('avatar_source', 1).notNullable().defaultTo('G')
      t.integer('avatar_version').notNullable().defaultTo(1)
      t.integer('email_address_visibility').notNullable()
      t.boolean('can_create_users').notNullable().defaultTo(false)
      t.boolean('can_change_user_emails').notNullable().defaultTo(false)
      t.string('password_hash', 300).nullable()
      t.string('api_key_hash', 64).notNullable().unique()
      t.string('api_key_sealed', 200).notNullable()
      t.text('settings', 'mediumtext').notNullable()
      t.unique(['organization_id', 'email_key'])
      t.unique(['organization_id', 'external_id'])
      t.index(['organization_id', 'is_active', 'role'])
      t.index(['organization_id', 'bot_owner_id'])
      t.index(['organization_id', 'full_name_key'], context.table('users_full_name'))
    })
    .create('muted_users', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('muted_user_id').unsigned().notNullable()
      t.bigInteger('muted_at_seconds').notNullable()
      t.primary(['user_id', 'muted_user_id'])
      t.index(['organization_id', 'muted_user_id'])
    })
    .create('socket_tickets', (t) => {
      t.string('ticket_hash', 64).primary()
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.bigInteger('expires_at_seconds').notNullable().index()
    })
}

function groups(context: MigrationContext): void {
  context
    .create('user_groups', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      // Null for anonymous groups, which hold a permission setting's value.
      t.string('name', 400).nullable()
      t.string('description', 4096).notNullable()
      t.boolean('is_system_group').notNullable()
      t.boolean('is_deactivated').notNullable().defaultTo(false)
      t.integer('creator_id').unsigned().nullable()
      t.bigInteger('created_at_seconds').nullable()
      t.text('settings').notNullable()
      // Hash of an anonymous group's members, so that equal values share one group.
      t.string('value_hash', 64).nullable()
      t.unique(['organization_id', 'name'])
      t.unique(['organization_id', 'value_hash'])
    })
    .create('user_group_members', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('group_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.primary(['group_id', 'user_id'])
      t.index(['organization_id', 'user_id'])
    })
    .create('user_group_subgroups', (t) => {
      t.integer('organization_id').unsigned().notNullable().index()
      t.integer('group_id').unsigned().notNullable()
      t.integer('subgroup_id').unsigned().notNullable()
      t.primary(['group_id', 'subgroup_id'])
    })
}

function channels(context: MigrationContext): void {
  context
    .create('channels', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
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
      t.text('settings').notNullable()
      t.unique(['organization_id', 'name_key'])
    })
    .create('subscriptions', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.boolean('is_active').notNullable()
      // Duplicates the user's own state, so that a send reads one index only.
      t.boolean('is_user_active').notNullable()
      t.string('color', 7).notNullable()
      t.boolean('is_muted').notNullable().defaultTo(false)
      t.boolean('pin_to_top').notNullable().defaultTo(false)
      t.boolean('desktop_notifications').nullable()
      t.boolean('audible_notifications').nullable()
      t.boolean('push_notifications').nullable()
      t.boolean('email_notifications').nullable()
      t.boolean('wildcard_mentions_notify').nullable()
      t.primary(['user_id', 'channel_id'])
      t.index(
        ['channel_id', 'is_active', 'is_user_active', 'user_id'],
        context.table('subscriptions_channel'),
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
}

function messages(context: MigrationContext): void {
  context
    .create('recipients', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().nullable().unique()
      // SHA-256 of the ascending participant ids of a direct conversation, hexadecimal.
      t.string('members_hash', 64).nullable()
      t.unique(['organization_id', 'members_hash'])
    })
    .create('recipient_members', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('recipient_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.primary(['recipient_id', 'user_id'])
      t.index(['organization_id', 'user_id'])
    })
    .create('messages', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('sender_id').unsigned().notNullable()
      t.integer('recipient_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().nullable()
      t.string('topic', 60).notNullable()
      t.string('topic_key', 180).notNullable()
      t.text('content').notNullable()
      t.text('rendered_content', 'mediumtext').notNullable()
      t.bigInteger('sent_at_seconds').notNullable()
      t.string('client', 30).notNullable()
      // Bits: 1 link, 2 image, 4 attachment.
      t.integer('content_traits').notNullable().defaultTo(0)
      t.text('edit_history', 'mediumtext').nullable()
      t.bigInteger('last_edited_at_seconds').nullable()
      t.bigInteger('last_moved_at_seconds').nullable()
      t.index(['channel_id', 'topic_key', 'id'], context.table('messages_topic'))
      t.index(['channel_id', 'id'], context.table('messages_channel'))
      t.index(['recipient_id', 'id'], context.table('messages_recipient'))
      t.index(['sender_id', 'id'], context.table('messages_sender'))
      t.index(['organization_id', 'id'], context.table('messages_organization'))
    })
  userMessages(context)
}

/**
 * The personal histories: one row per user and message, clustered by user. The generated columns
 * are null for all but unread, starred and mentioning messages; SQLite's indexes omit nulls.
 */
function userMessages(context: MigrationContext): void {
  const { dialect } = context
  const name = context.table('user_messages')
  const flagged = (bits: number, wanted: '= 0' | '<> 0') =>
    `INTEGER GENERATED ALWAYS AS (CASE WHEN (flags & ${bits}) ${wanted} THEN message_id END) VIRTUAL`
  context.raw(
    `CREATE TABLE ${name} (
      organization_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      flags INTEGER NOT NULL,
      unread_message_id ${flagged(1, '= 0')},
      starred_message_id ${flagged(2, '<> 0')},
      mentioning_message_id ${flagged(8 + 16 + 32, '<> 0')},
      PRIMARY KEY (user_id, message_id)
    )${dialect.name === 'sqlite' ? ' WITHOUT ROWID' : ' ENGINE=InnoDB'}`,
  )
  context.raw(`CREATE INDEX ${name}_message ON ${name} (message_id)`)
  for (const column of ['unread', 'starred', 'mentioning']) {
    const partial = dialect.name === 'sqlite' ? ` WHERE ${column}_message_id IS NOT NULL` : ''
    context.raw(
      `CREATE INDEX ${name}_${column} ON ${name} (user_id, ${column}_message_id)${partial}`,
    )
  }
}

function events(context: MigrationContext): void {
  context
    .create('event_audiences', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.string('member_hash', 64).notNullable()
      t.text('user_ids', 'mediumtext').notNullable()
      t.bigInteger('interned_at_seconds').notNullable().index()
      t.unique(['organization_id', 'member_hash'])
    })
    .create('events', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.bigInteger('seq').notNullable()
      t.string('kind', 60).notNullable()
      t.integer('audience_id').unsigned().nullable()
      t.text('recipients', 'mediumtext').nullable()
      t.text('data', 'mediumtext').notNullable()
      t.bigInteger('created_at_seconds').notNullable()
      t.primary(['organization_id', 'seq'])
    })
    .create('event_queues', (t) => {
      t.string('id', 80).primary()
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.text('options', 'mediumtext').notNullable()
      t.integer('idle_timeout_seconds').notNullable()
      t.bigInteger('created_seq').notNullable()
      t.bigInteger('last_seen_at_seconds').notNullable()
      t.bigInteger('acknowledged_id').notNullable()
      // There is nothing for the queue between this event id and the end of this entry.
      t.bigInteger('clean_from_id').notNullable()
      t.bigInteger('clean_to_seq').notNullable()
      t.index(['organization_id', 'last_seen_at_seconds'])
    })
}
