import { migrations } from '../../packages/core/src/resources/tables.js'
import { Database, Migrator, type DatabaseOption } from '../../packages/core/src/storage/index.js'
import type { FakeClock } from '../support/fake-clock.js'

/** A logger that logs nothing. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** A database with two organizations. */
export async function migrated(config: DatabaseOption, clock: FakeClock): Promise<Database> {
  const database = new Database(config, '')
  await new Migrator(database, migrations).migrate()
  const organization = {
    name: 'Due',
    created_at_seconds: clock.seconds,
    epoch: 'due',
    settings: '{}',
    user_defaults: '{}',
  }
  await database.writer('organizations').insert([
    { ...organization, id: 1, subdomain: '' },
    { ...organization, id: 2, subdomain: 'other' },
  ])
  return database
}
