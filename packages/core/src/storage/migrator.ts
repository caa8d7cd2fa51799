import { setTimeout as sleep } from 'node:timers/promises'

import type { Knex } from 'knex'

import type { Database } from './database.js'
import { migrations } from './migrations/index.js'
import { MigrationContext, type Migration } from './migrations/migration.js'

const lockRetries = 120
const lockRetryMilliseconds = 250

/**
 * Brings the chat's own tables up to date; the application's tables are never touched.
 *
 * Not Knex's own migrations: their lock is a row, which a process that is killed leaves behind, and
 * which two processes that make it at the same moment never get.
 */
export class Migrator {
  constructor(private readonly database: Database) {}

  /** Applies what is missing. Several processes may call it at once: one works, the others wait. */
  async migrate(): Promise<void> {
    for (let retry = 0; ; retry += 1) {
      try {
        await this.database.alone((executor) =>
          this.database.dialect.exclusively(executor, this.#bookkeeping, () =>
            this.#applyMissing(executor),
          ),
        )
        return
      } catch (error) {
        if (retry === lockRetries || !this.database.dialect.isUnavailable(error)) throw error
        await sleep(lockRetryMilliseconds)
      }
    }
  }

  /** @throws {Error} naming the migrations that are missing. */
  async check(): Promise<void> {
    const missing = await this.#missing(this.database.reader)
    if (missing.length > 0) {
      const names = missing.map(({ name }) => name).join(', ')
      throw new Error(`The chat's tables are not up to date; call migrate(). Missing: ${names}`)
    }
  }

  /** The statements of all migrations, for whoever may change the production schema by hand. */
  sql(): string {
    const { writer } = this.database
    const parts = migrations.map((migration) => {
      const note = writer(this.#bookkeeping).insert({ name: migration.name })
      return `-- ${migration.name}\n${this.#build(migration, writer).toString()};\n${note.toQuery()};`
    })
    return [`${this.#bookkeepingTable(writer).toString()};`, ...parts].join('\n\n')
  }

  get #bookkeeping(): string {
    return this.database.table('migrations')
  }

  async #applyMissing(executor: Knex): Promise<void> {
    if (!(await executor.schema.hasTable(this.#bookkeeping))) {
      await this.#bookkeepingTable(executor)
    }
    for (const migration of await this.#missing(executor)) {
      await this.#build(migration, executor)
      await executor(this.#bookkeeping).insert({ name: migration.name })
    }
  }

  async #missing(executor: Knex): Promise<readonly Migration[]> {
    if (!(await executor.schema.hasTable(this.#bookkeeping))) return migrations
    const rows = (await executor(this.#bookkeeping).select('name')) as { name: string }[]
    const applied = new Set(rows.map(({ name }) => name))
    return migrations.filter(({ name }) => !applied.has(name))
  }

  #bookkeepingTable(executor: Knex): Knex.SchemaBuilder {
    const { schema } = executor
    new MigrationContext(schema, this.database.dialect, this.database.tablePrefix).create(
      'migrations',
      (table) => table.string('name', 100).primary(),
    )
    return schema
  }

  #build(migration: Migration, executor: Knex): Knex.SchemaBuilder {
    const { dialect, tablePrefix } = this.database
    const { schema } = executor
    migration.up(new MigrationContext(schema, dialect, tablePrefix))
    return schema
  }
}
