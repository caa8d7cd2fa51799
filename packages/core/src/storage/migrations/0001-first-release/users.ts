import type { MigrationContext } from '../migration.js'

/** Users, what belongs to each of them, and their groups. */
export function userTables(context: MigrationContext): void {
  users(context)
  credentials(context)
  groups(context)
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
      // Random, in the URL of a picture; null without one.
      t.string('avatar_name', 48).nullable()
      // Where the application has the picture; null for an uploaded one, and without one.
      t.string('application_avatar_url', 1000).nullable()
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
      // Finds the next users who become full members.
      t.index(
        ['organization_id', 'is_active', 'role', 'joined_at_milliseconds'],
        context.table('users_joined'),
      )
      // Finds the few whose addresses become visible with another role.
      t.index(['organization_id', 'email_address_visibility'], context.table('users_visibility'))
      t.index(['avatar_name'])
      // Encrypted keys begin with the id of their secret.
      t.index(['api_key_sealed'], context.table('users_sealed'))
    })
    .create('bot_details', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('default_sending_channel_id').unsigned().nullable()
      t.integer('default_events_channel_id').unsigned().nullable()
      t.boolean('default_all_public_channels').notNullable()
      // URL of an outgoing webhook bot; null for other bots.
      t.string('service_base_url', 2000).nullable()
      t.integer('service_interface').nullable()
      // Encrypted under the data key.
      t.string('service_token_sealed', 200).nullable()
      t.unique(['organization_id', 'user_id'])
    })
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
    .create('profile_values', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('field_id').unsigned().notNullable()
      t.text('value', 'mediumtext').notNullable()
      // Null for types without Markdown.
      t.text('rendered_value', 'mediumtext').nullable()
      t.primary(['user_id', 'field_id'])
      t.index(['organization_id', 'user_id'])
      t.index(['field_id'])
    })
    .create('alert_words', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.string('word', 100).notNullable()
      t.string('word_key', 300).notNullable()
      t.primary(['user_id', 'word_key'])
      t.index(['organization_id'])
    })
    .create('muted_users', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('muted_user_id').unsigned().notNullable()
      t.bigInteger('muted_at_seconds').notNullable()
      t.primary(['user_id', 'muted_user_id'])
      t.index(['organization_id', 'muted_user_id'])
    })
}

function credentials(context: MigrationContext): void {
  context
    .create('email_changes', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.string('old_email', 254).notNullable()
      t.string('new_email', 254).notNullable()
      // SHA-256, hexadecimal: reading the table does not allow confirming a change.
      t.string('key_hash', 64).notNullable()
      t.integer('requested_at_seconds').unsigned().notNullable()
      t.unique(['key_hash'])
      t.index(['organization_id', 'user_id'])
    })
    .create('invitations', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('inviter_id').unsigned().notNullable()
      // Whether it is a link that any number of people may use.
      t.boolean('is_reusable').notNullable()
      // The link through which somebody signs up with the address; null for other invitations.
      t.integer('link_id').unsigned().nullable()
      // Null for a link, and once the invitation has ended.
      t.string('email', 254).nullable()
      t.string('email_key', 254).nullable()
      // SHA-256, hexadecimal.
      t.string('token_hash', 64).notNullable()
      // Null once the invitation has ended, or if its secret is lost.
      t.string('token_sealed', 200).nullable()
      t.integer('role').notNullable()
      // JSON lists of ids.
      t.text('channel_ids').notNullable()
      t.text('group_ids').notNullable()
      t.boolean('joins_default_channels').notNullable()
      t.boolean('notifies_inviter').notNullable()
      t.text('welcome_text').nullable()
      t.bigInteger('invited_at_seconds').notNullable()
      // Null if it never expires.
      t.bigInteger('expires_at_seconds').nullable()
      // When it was used or revoked.
      t.bigInteger('ended_at_seconds').nullable()
      // The URL of the chat in the links of its mails.
      t.string('chat_url', 1000).notNullable()
      t.integer('mail_count').notNullable()
      // When the next attempt to send the mail is due; null without one.
      t.bigInteger('due_at_seconds').nullable()
      t.integer('attempts').notNullable()
      t.unique(['token_hash'])
      t.index(['organization_id', 'ended_at_seconds'], context.table('invitations_ended'))
      t.index(['organization_id', 'expires_at_seconds'], context.table('invitations_expiry'))
      t.index(['organization_id', 'invited_at_seconds'], context.table('invitations_invited'))
      t.index(['organization_id', 'email_key'])
      t.index(['organization_id', 'inviter_id'])
      t.index(['organization_id', 'link_id'])
      t.index(['due_at_seconds'])
      // Sealed tokens begin with the id of their secret.
      t.index(['token_sealed'])
    })
    .create('socket_tickets', (t) => {
      t.string('ticket_hash', 64).primary()
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.bigInteger('expires_at_seconds').notNullable().index()
      // Null for a ticket that opens a new queue.
      t.string('queue_id', 80).nullable()
      // SHA-256, hexadecimal; null for a ticket that a session requested.
      t.string('api_key_hash', 64).nullable()
    })
    .create('known_addresses', (t) => {
      t.integer('organization_id').notNullable()
      t.string('login_hash', 64).notNullable()
      t.integer('user_id').notNullable()
      t.integer('used_at_seconds').notNullable()
      t.primary(['organization_id', 'login_hash'])
      t.index(['organization_id', 'user_id', 'used_at_seconds'])
    })
}

function groups(context: MigrationContext): void {
  context
    .create('user_groups', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      // The application's id, if it decides who the members are.
      t.string('external_id', 190).nullable()
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
      t.unique(['organization_id', 'external_id'])
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
