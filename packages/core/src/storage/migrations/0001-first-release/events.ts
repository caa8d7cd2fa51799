import type { MigrationContext } from '../migration.js'

/** The event log, the event queues, and the durable consumers of the log. */
export function eventTables(context: MigrationContext): void {
  context
    .create('event_audiences', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.string('member_hash', 64).notNullable()
      // The list of which this one is stored as the difference; null for lists that are stored whole.
      t.integer('base_id').unsigned().nullable().index()
      t.text('user_ids', 'mediumtext').notNullable()
      t.text('removed_user_ids', 'mediumtext').nullable()
      t.bigInteger('interned_at_seconds').notNullable().index()
      t.unique(['organization_id', 'member_hash'])
    })
    .create('events', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.bigInteger('seq').notNullable()
      t.string('kind', 60).notNullable()
      t.integer('audience_id').unsigned().nullable()
      // Recipients by subscription to all public channels; null for none.
      t.integer('follower_audience_id').unsigned().nullable()
      // Users from whom the entry was withdrawn; null for none.
      t.integer('withdrawn_audience_id').unsigned().nullable()
      // The message whose text is in the data.
      t.bigInteger('message_id').nullable()
      t.text('recipients', 'mediumtext').nullable()
      t.text('data', 'mediumtext').notNullable()
      t.bigInteger('created_at_seconds').notNullable()
      // Of the transaction, in its first entry; null in others, and where commits are always answered.
      t.bigInteger('commit_mark').nullable()
      t.primary(['organization_id', 'seq'])
      t.index(['organization_id', 'message_id'], context.table('events_message'))
    })
    .create('event_queues', (t) => {
      t.string('id', 80).primary()
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.text('options', 'mediumtext').notNullable()
      t.boolean('takes_messages').notNullable().defaultTo(true)
      t.integer('idle_timeout_seconds').notNullable()
      t.bigInteger('created_seq').notNullable()
      t.bigInteger('last_seen_at_seconds').notNullable()
      t.bigInteger('acknowledged_id').notNullable()
      // There is nothing for the queue between this event id and the end of this entry.
      t.bigInteger('clean_from_id').notNullable()
      t.bigInteger('clean_to_seq').notNullable()
      t.index(['organization_id', 'last_seen_at_seconds'])
      t.index(['organization_id', 'user_id'], context.table('event_queues_user'))
    })
    .create('consumers', (t) => {
      t.string('name', 100).primary()
      t.string('owner', 40).nullable()
      t.bigInteger('leased_until_seconds').notNullable()
      t.string('lease_token', 40).notNullable()
      t.bigInteger('created_at_seconds').notNullable()
    })
    .create('consumer_cursors', (t) => {
      t.string('consumer', 100).notNullable()
      t.integer('organization_id').unsigned().notNullable().index()
      t.bigInteger('cursor_seq').notNullable()
      t.integer('attempts').notNullable()
      t.bigInteger('due_at_seconds').notNullable()
      t.bigInteger('missed').notNullable()
      t.primary(['consumer', 'organization_id'])
    })
    .create('consumer_parked_events', (t) => {
      t.increments('id')
      t.string('consumer', 100).notNullable()
      t.integer('organization_id').unsigned().notNullable().index()
      t.bigInteger('seq').notNullable()
      t.integer('attempts').notNullable()
      t.text('error').notNullable()
      t.bigInteger('parked_at_seconds').notNullable()
      t.bigInteger('due_at_seconds').nullable()
      t.unique(['consumer', 'organization_id', 'seq'])
    })
}
