import type { Migration } from './migration.js'

/** The channel folders. */
export const channelFolders: Migration = {
  name: '0017-channel-folders',
  up(context) {
    context.create('channel_folders', (t) => {
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
    const channels = context.table('channels')
    context.raw(`CREATE INDEX ${channels}_folder ON ${channels} (folder_id)`)
  },
}
