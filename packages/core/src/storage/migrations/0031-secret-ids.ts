import type { Migration } from './migration.js'

/** Index of API keys by the secret that encrypts them: they begin with its id. */
export const secretIds: Migration = {
  name: '0031-secret-ids',
  up(context) {
    const users = context.table('users')
    context.raw(`CREATE INDEX ${users}_sealed ON ${users} (api_key_sealed)`)
  },
}
