import type { Migration } from './migration.js'

/** The custom profile fields of an organization, and the values of its users. */
export const profileFields: Migration = {
  name: '0014-profile-fields',
  up(context) {
    context
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
  },
}
