import type { Migration } from './migration.js'

/**
 * Stores up to which user members are known to be full members, and an index to find the next ones.
 */
export const fullMembers: Migration = {
  name: '0021-full-members',
  up(context) {
    context.schema.alterTable(context.table('organizations'), (t) => {
      t.bigInteger('full_members_joined_until_milliseconds').nullable()
    })
    const users = context.table('users')
    context.raw(
      `CREATE INDEX ${users}_joined
       ON ${users} (organization_id, is_active, role, joined_at_milliseconds)`,
    )
  },
}
