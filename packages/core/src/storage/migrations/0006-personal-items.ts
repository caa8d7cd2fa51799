import type { Migration } from './migration.js'

/** Personal items of users, and the organization's code playgrounds. */
export const personalItems: Migration = {
  name: '0006-personal-items',
  up(context) {
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
      .create('playgrounds', (t) => {
        t.increments('id')
        t.integer('organization_id').unsigned().notNullable()
        t.string('name', 200).notNullable()
        t.string('pygments_language', 40).notNullable()
        t.text('url_template').notNullable()
        t.unique(['organization_id', 'pygments_language', 'name'])
      })
  },
}
