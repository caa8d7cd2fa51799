import { Migrator, type Database } from '../../packages/core/src/storage/index.js'

/**
 * Makes the few tables that a transaction itself needs, which takes a moment only, and a table
 * `words` for what a test writes. Two organizations are there: 1 and 2.
 */
export async function migrateSmall(database: Database): Promise<void> {
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
            t.text('user_ids').notNullable()
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
