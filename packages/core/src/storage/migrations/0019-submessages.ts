import type { Migration } from './migration.js'

/** Submessages of messages, such as the votes of a poll. */
export const submessages: Migration = {
  name: '0019-submessages',
  up(context) {
    context.create('submessages', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.integer('sender_id').unsigned().notNullable()
      t.string('msg_type', 100).notNullable()
      t.text('content', 'mediumtext').notNullable()
      t.index(['message_id'])
    })
  },
}
