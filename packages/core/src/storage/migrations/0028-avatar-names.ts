import type { Migration } from './migration.js'

/** Random names of uploaded pictures: the earlier ones were derived from the ids of users. */
export const avatarNames: Migration = {
  name: '0028-avatar-names',
  up(context) {
    const users = context.table('users')
    context.schema.alterTable(users, (t) => {
      t.string('avatar_name', 48).nullable()
      t.index(['avatar_name'])
    })
    // Not every MySQL has a source of secure random bytes. An encrypted key is random, and clients
    // never get it.
    const name =
      context.dialect.name === 'sqlite'
        ? 'lower(hex(randomblob(24)))'
        : "LEFT(SHA2(CONCAT('avatar', id, api_key_sealed), 256), 48)"
    context.raw(`UPDATE ${users} SET avatar_name = ${name} WHERE avatar_source = 'U'`)
  },
}
