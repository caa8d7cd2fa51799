import type { Migration } from './migration.js'

/** Reactions, custom emoji, and linkifiers. */
export const emojiAndLinkifiers: Migration = {
  name: '0008-emoji-and-linkifiers',
  up(context) {
    context
      .create('custom_emoji', (t) => {
        t.increments('id')
        t.integer('organization_id').unsigned().notNullable()
        t.string('name', 100).notNullable()
        t.integer('author_id').unsigned().nullable()
        t.boolean('is_deactivated').notNullable().defaultTo(false)
        // Part of the image's URL, so that URLs cannot be enumerated.
        t.string('image_token', 40).notNullable()
        t.string('content_type', 40).notNullable()
        t.specificType(
          'image',
          context.dialect.name === 'mysql' ? 'mediumblob' : 'blob',
        ).notNullable()
        t.index(['organization_id', 'name'])
      })
      .create('reactions', (t) => {
        t.increments('id')
        t.integer('organization_id').unsigned().notNullable()
        t.integer('message_id').unsigned().notNullable()
        t.integer('user_id').unsigned().notNullable()
        t.string('reaction_type', 20).notNullable()
        t.string('emoji_code', 100).notNullable()
        t.string('emoji_name', 100).notNullable()
        t.unique(['message_id', 'reaction_type', 'emoji_code', 'user_id'], {
          indexName: context.table('reactions_emoji'),
        })
      })
      .create('linkifiers', (t) => {
        t.increments('id')
        t.integer('organization_id').unsigned().notNullable()
        t.text('pattern').notNullable()
        t.text('url_template').notNullable()
        t.integer('position').notNullable()
        t.index(['organization_id', 'position'])
      })
  },
}
