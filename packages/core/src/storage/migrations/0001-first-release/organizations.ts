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
      // Until when an import may take before it is taken for abandoned; null unless it is imported.
      t.bigInteger('importing_until_seconds').nullable().index()
      t.integer('active_audience_id').unsigned().nullable()
      t.integer('member_audience_id').unsigned().nullable()
      t.integer('active_users_version').unsigned().notNullable().defaultTo(0)
      // The newest `update_id` of the organization's presences.
      t.bigInteger('presence_update_id').notNullable().defaultTo(0)
      t.bigInteger('full_members_joined_until_milliseconds').nullable()
      t.bigInteger('upload_bytes').notNullable().defaultTo(0)
      t.text('settings', 'mediumtext').notNullable()
      t.text('user_defaults', 'mediumtext').notNullable()
    })
    .create('data_exports', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('acting_user_id').unsigned().notNullable()
      t.integer('export_type').notNullable()
      t.bigInteger('requested_at_seconds').notNullable()
      t.bigInteger('failed_at_seconds').nullable()
      t.bigInteger('deleted_at_seconds').nullable()
      // Null until the archive is complete, and after its deletion.
      t.string('file_key', 190).nullable().unique()
      t.bigInteger('size_bytes').nullable()
      t.integer('attempts').notNullable()
      t.bigInteger('due_at_seconds').notNullable().index()
      t.index(['organization_id', 'requested_at_seconds'])
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
    .create('audit_log', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.bigInteger('created_at_seconds').notNullable()
      t.string('action', 60).notNullable()
      t.string('actor_type', 20).notNullable()
      t.integer('actor_id').unsigned().nullable()
      t.string('object_type', 20).notNullable()
      t.integer('object_id').unsigned().nullable()
      t.integer('user_id').unsigned().nullable()
      // JSON of what has changed, at most some 16,000 characters.
      t.text('changes', 'mediumtext').nullable()
      t.string('via', 10).notNullable()
      t.string('client_address', 45).nullable()
      t.string('client_name', 30).nullable()
      // Each filter of the trail, newest first; the last one also serves the retention time.
      t.index(['organization_id', 'id'])
      t.index(['organization_id', 'action', 'id'])
      t.index(['organization_id', 'actor_id', 'id'])
      t.index(['organization_id', 'user_id', 'id'])
      t.index(['organization_id', 'object_type', 'object_id', 'id'])
      t.index(['organization_id', 'created_at_seconds'])
    })
}
