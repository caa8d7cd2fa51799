import { Database, Migrator } from '../../packages/core/src/storage/index.js'
import type { DatabaseColumn } from './databases.js'

async function migrateSmall(database: Database): Promise<void> {
  const up: ConstructorParameters<typeof Migrator>[1] = [
    {
      name: 'small',
      up(context) {
        context
          .create('organizations', (t) => {
            t.increments('id')
            t.bigInteger('event_seq').notNullable().defaultTo(0)
          })
          .create('event_audiences', (t) => {
            t.increments('id')
            t.integer('organization_id').notNullable()
            t.string('member_hash', 64).notNullable()
            t.integer('base_id').nullable()
            t.text('user_ids').notNullable()
            t.text('removed_user_ids').nullable()
            t.bigInteger('interned_at_seconds').notNullable()
            t.unique(['organization_id', 'member_hash'])
          })
          .create('words', (t) => {
            t.increments('id')
            t.integer('organization_id').notNullable()
            t.string('word', 100).notNullable()
          })
      },
    },
  ]
  await new Migrator(database, up).migrate()
  await database.writer(database.table('organizations')).insert([{ id: 1 }, { id: 2 }])
}

/**
 * A new database with only the tables that a transaction requires, which is fast, and a table
 * `words` for rows of the tests. It contains two organizations: 1 and 2.
 */
export async function createSmallDatabase(
  column: DatabaseColumn,
): Promise<{ readonly database: Database; readonly drop: () => Promise<void> }> {
  const { config, drop } = await column.create()
  const database = new Database(config, '')
  await migrateSmall(database)
  return {
    database,
    drop: async () => {
      await database.close()
      await drop()
    },
  }
}
