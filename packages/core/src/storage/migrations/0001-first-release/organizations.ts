import type { MigrationContext } from '../migration.js'

/** Organizations and their own lists, and the secrets of the server. */
export function organizationTables(context: MigrationContext): void {
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
      t.integer('member_audience_id').unsigned().nullable()
      // The newest `update_id` of the organization's presences.
      t.bigInteger('presence_update_id').notNullable().defaultTo(0)
      t.bigInteger('full_members_joined_until_milliseconds').nullable()
      t.bigInteger('upload_bytes').notNullable().defaultTo(0)
      t.text('settings', 'mediumtext').notNullable()
      t.text('user_defaults', 'mediumtext').notNullable()
    })
    .create('realm_domains', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.string('domain', 255).notNullable()
      t.boolean('allow_subdomains').notNullable()
      t.unique(['organization_id', 'domain'])
    })
    .create('profile_fields', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('type').notNullable()
      t.string('name', 40).notNullable()
      t.string('hint', 80).notNullable()
      // JSON for lists of options and external accounts, empty for other types.
      t.text('field_data', 'mediumtext').notNullable()
      t.integer('position').unsigned().notNullable()
      t.boolean('is_in_summary').notNullable()
      t.boolean('is_required').notNullable()
      t.boolean('is_editable_by_user').notNullable()
      t.unique(['organization_id', 'name'])
    })
    .create('custom_emoji', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.string('name', 100).notNullable()
      t.integer('author_id').unsigned().nullable()
      t.boolean('is_deactivated').notNullable().defaultTo(false)
      // Part of the image's URL, so that URLs cannot be enumerated.
      t.string('image_token', 40).notNullable()
      t.string('content_type', 40).notNullable()
      t.index(['organization_id', 'name'])
    })
    .create('linkifiers', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.text('pattern').notNullable()
      t.text('url_template').notNullable()
      t.integer('position').notNullable()
      t.index(['organization_id', 'position'])
    })
    .create('playgrounds', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.string('name', 200).notNullable()
      t.string('pygments_language', 40).notNullable()
      t.text('url_template').notNullable()
      t.unique(['organization_id', 'pygments_language', 'name'])
    })
}
