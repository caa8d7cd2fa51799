import type { MigrationContext } from '../migration.js'

/** Mobile devices, and what is to be sent to push relays, by mail and to outgoing webhooks. */
export function notificationTables(context: MigrationContext): void {
  context
    .create('push_identities', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      // 0 for the organization itself.
      t.integer('user_id').unsigned().notNullable()
      t.string('uuid', 36).notNullable()
      t.primary(['organization_id', 'user_id'])
    })
    .create('push_tokens', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      // 1 APNs, 2 FCM.
      t.integer('kind').notNullable()
      t.text('token').notNullable()
      // SHA-256, hexadecimal; of the lower-case form if the token is case-insensitive.
      t.string('token_hash', 64).notNullable()
      t.string('realm_url', 500).notNullable()
      t.unique(['user_id', 'kind', 'token_hash'])
      t.index(['organization_id', 'user_id'])
    })
    .create('push_devices', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      // Decimal digits: a number cannot represent 64 bits exactly.
      t.string('push_account_id', 20).notNullable()
      t.string('token_kind', 4).notNullable()
      t.text('push_public_key').notNullable()
      t.string('realm_url', 500).notNullable()
      // Null until the relay has accepted the registration.
      t.bigInteger('relay_device_id').nullable()
      t.string('error_code', 60).nullable()
      t.unique(['user_id', 'push_account_id'])
      t.index(['organization_id', 'user_id'])
      t.index(['organization_id', 'relay_device_id'], context.table('push_devices_relay'))
    })
    .create('push_registrations', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('device_id').unsigned().notNullable().unique()
      t.text('bouncer_public_key').notNullable()
      t.text('encrypted_push_registration').notNullable()
      t.bigInteger('asked_at_seconds').notNullable()
      t.integer('attempts').notNullable().defaultTo(0)
      // Time of the next attempt; during an attempt, the end of its lease.
      t.bigInteger('due_at_seconds').notNullable()
      t.index(['organization_id', 'due_at_seconds'], context.table('push_registrations_due'))
    })
    .create('push_notifications', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.string('family', 6).notNullable()
      // JSON.
      t.text('notice', 'mediumtext').notNullable()
      // JSON of the ids of the devices that have received it already; null for none.
      t.text('accepted_device_ids').nullable()
      t.integer('attempts').notNullable().defaultTo(0)
      // Time of the next attempt; during an attempt, the end of its lease.
      t.bigInteger('due_at_seconds').notNullable()
      t.index(['organization_id', 'due_at_seconds'], context.table('push_notifications_due'))
    })
    .create('pushed_messages', (t) => {
      t.integer('organization_id').unsigned().notNullable().index()
      t.integer('user_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.primary(['user_id', 'message_id'])
    })
    .create('mail_notifications', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.string('reason', 30).notNullable()
      // The first message of the mail that was sent; null before.
      t.integer('mail_id').unsigned().nullable()
      t.integer('attempts').notNullable().defaultTo(0)
      // Time of the mail; during an attempt, the end of its lease; later, of the deletion of the row.
      t.bigInteger('due_at_seconds').notNullable()
      t.unique(['user_id', 'message_id'])
      t.index(['organization_id', 'due_at_seconds'], context.table('mail_notifications_org_due'))
      t.index(['due_at_seconds'], context.table('mail_notifications_due'))
    })
    .create('digests', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable().unique()
      // The local date of the digest, in days since 1 January 1970.
      t.integer('day').notNullable()
      // When it was sent, or it was decided that none is; null before.
      t.bigInteger('decided_at_seconds').nullable()
      t.integer('attempts').notNullable().defaultTo(0)
      // Time of the mail; during an attempt, the end of its lease; later, of the deletion of the row.
      t.bigInteger('due_at_seconds').notNullable()
      t.index(['organization_id', 'due_at_seconds'], context.table('digests_org_due'))
      t.index(['due_at_seconds'], context.table('digests_due'))
    })
    .create('outgoing_webhook_calls', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('bot_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.integer('attempts').notNullable().defaultTo(0)
      // Time of the next call; during a call, the end of its lease.
      t.bigInteger('due_at_seconds').notNullable()
      t.index(['due_at_seconds'])
    })
}
