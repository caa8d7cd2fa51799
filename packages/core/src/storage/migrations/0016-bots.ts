import type { Migration } from './migration.js'

/** Properties that only bots have; a bot without a row has the defaults. */
export const bots: Migration = {
  name: '0016-bots',
  up(context) {
    context.create('bot_details', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('default_sending_channel_id').unsigned().nullable()
      t.integer('default_events_channel_id').unsigned().nullable()
      t.boolean('default_all_public_channels').notNullable()
      // URL of an outgoing webhook bot; null for other bots.
      t.string('service_base_url', 2000).nullable()
      t.integer('service_interface').nullable()
      t.string('service_token', 40).nullable()
      t.unique(['organization_id', 'user_id'])
    })
  },
}
