import type { Migration } from './migration.js'

/**
 * Addresses from which users have signed in, so that attempts from elsewhere cannot lock them out.
 */
export const knownAddresses: Migration = {
  name: '0027-known-addresses',
  up(context) {
    context.create('known_addresses', (t) => {
      t.integer('organization_id').notNullable()
      t.string('login_hash', 64).notNullable()
      t.integer('user_id').notNullable()
      t.integer('used_at_seconds').notNullable()
      t.primary(['organization_id', 'login_hash'])
      t.index(['organization_id', 'user_id', 'used_at_seconds'])
    })
  },
}
