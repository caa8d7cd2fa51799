import type { Migration } from './migration.js'

/** Finds API keys by the secret that they are sealed under: its id is what they begin with. */
export const secretIds: Migration = {
  name: '0031-secret-ids',
  up(context) {
    const users = context.table('users')
    context.raw(`CREATE INDEX ${users}_sealed ON ${users} (api_key_sealed)`)
  },
}
