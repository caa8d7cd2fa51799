import type { Migration } from './migration.js'

/** The domains of an organization's addresses, and changes of addresses that await confirmation. */
export const domainsAndEmailChanges: Migration = {
  name: '0015-domains-and-email-changes',
  up(context) {
    context
      .create('realm_domains', (t) => {
        t.increments('id')
        t.integer('organization_id').unsigned().notNullable()
        t.string('domain', 255).notNullable()
        t.boolean('allow_subdomains').notNullable()
        t.unique(['organization_id', 'domain'])
      })
      .create('email_changes', (t) => {
        t.increments('id')
        t.integer('organization_id').unsigned().notNullable()
        t.integer('user_id').unsigned().notNullable()
        t.string('old_email', 254).notNullable()
        t.string('new_email', 254).notNullable()
        // SHA-256, hexadecimal: reading the table does not allow confirming a change.
        t.string('key_hash', 64).notNullable()
        t.integer('requested_at_seconds').unsigned().notNullable()
        t.unique(['key_hash'])
        t.index(['organization_id', 'user_id'])
      })
  },
}
