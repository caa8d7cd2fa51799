import { setTimeout as sleep } from 'node:timers/promises'

import type { Knex } from 'knex'

import type { Database } from './database.js'
import { migrations } from './migrations/index.js'
import { MigrationContext, type Migration } from './migrations/migration.js'

const lockRetries = 120
const lockRetryMilliseconds = 250

/** Brings the chat's own tables up to date; the application's tables are never touched. */
export class Migrator {
  constructor(private readonly database: Database) {}

  /** Applies what is missing. Several processes may call it at once: one works, the others wait. */
  async migrate(): Promise<void> {
    for (let retry = 0; ; retry += 1) {
      try {
        await this.database.writer.migrate.latest(this.#config())
        return
      } catch (error) {
        const isBusy =
          (error as Error).name === 'MigrationLocked' ||
          (error as Error).constructor.name === 'LockError' ||
          this.database.dialect.isUnavailable(error) ||
          // Two processes that make the bookkeeping tables at the same moment.
          /already exists|UNIQUE constraint|Duplicate entry|already locked/i.test(String(error))
        if (!isBusy || retry === lockRetries) throw error
        await sleep(lockRetryMilliseconds)
      }
    }
  }

  /** @throws {Error} naming the migrations that are missing. */
  async check(): Promise<void> {
    const [, pending] = (await this.database.writer.migrate.list(this.#config())) as [
      unknown[],
      { name: string }[],
    ]
    if (pending.length > 0) {
      const names = pending.map(({ name }) => name).join(', ')
      throw new Error(`The chat's tables are not up to date; call migrate(). Missing: ${names}`)
    }
  }

  /** The statements of all migrations, for whoever may change the production schema by hand. */
  sql(): string {
    const { writer } = this.database
    return migrations
      .map((migration) => `-- ${migration.name}\n${this.#build(migration, writer).toString()};`)
      .join('\n\n')
  }

  #build(migration: Migration, executor: Knex): Knex.SchemaBuilder {
    const { dialect, tablePrefix } = this.database
    const schema = executor.schema
    migration.up(new MigrationContext(schema, dialect, tablePrefix))
    return schema
  }

  #config(): Knex.MigratorConfig {
    return {
      tableName: this.database.table('migrations'),
      migrationSource: {
        getMigrations: async () => [...migrations],
        getMigrationName: (migration: Migration) => migration.name,
        getMigration: async (migration: Migration) => ({
          up: async (executor: Knex) => {
            await this.#build(migration, executor)
          },
          down: async () => {
            throw new Error('Migrations only go forward')
          },
        }),
      },
    }
  }
}
