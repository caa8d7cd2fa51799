import { setTimeout as sleep } from 'node:timers/promises'

import type { Knex } from 'knex'

import { withRemedy } from '../connections/pools.js'
import type { Database } from '../database.js'
import { migrationRemedy } from '../dialects/dialect.js'
import { lockName, MigrationLock } from './migration-lock.js'
import {
  MigratedElsewhere,
  MigrationProgress,
  type MigrationStatement,
} from './migration-progress.js'
import { MigrationContext, type Migration } from './migration.js'

const maxFailures = 120
const retryMilliseconds = 250

/** The migrations that a database does not have yet. */
export interface PendingMigrations {
  /** In their order; empty if the tables are up to date. */
  readonly names: readonly string[]
  /** Their statements; also those that note that they are applied. */
  readonly sql: string
}

/**
 * Migrates the chat's own tables; the application's tables are never touched.
 *
 * Knex's own migrations are not used: their lock is a row, which remains if a process is killed,
 * and which two processes that create it at the same time never acquire. See `MigrationLock` for
 * clusters.
 */
export class Migrator {
  constructor(
    private readonly database: Database,
    private readonly migrations: readonly Migration[],
  ) {}

  /**
   * Applies missing migrations, and completes interrupted ones. Several processes may call it at
   * once: one works, the others wait until it is done.
   *
   * @throws {Error} if the tables are those of a version before the first release.
   */
  async migrate(): Promise<void> {
    for (let failures = 0; ;) {
      try {
        await this.database.withDedicatedConnection((executor) =>
          this.database.dialect.exclusively(executor, this.#bookkeeping, () =>
            this.#migrateAlone(executor),
          ),
        )
        return
      } catch (error) {
        const { dialect } = this.database
        if (dialect.unusableReasonOf(error) !== undefined) throw withRemedy(this.database, error)
        const isPassing = error instanceof MigratedElsewhere || dialect.isUnavailable(error)
        // A migration of another process is waited for, however long it takes.
        if (!dialect.isLocked(error)) failures += 1
        if (failures > maxFailures || !isPassing) throw error
        await sleep(retryMilliseconds)
      }
    }
  }

  /**
   * @throws {Error} naming the migrations that are missing, or if the tables are those of a version
   *   before the first release.
   */
  async check(): Promise<void> {
    const missing = await this.#missing(this.database.reader)
    if (missing.length > 0) {
      const names = missing.map(({ name }) => name).join(', ')
      throw new Error(`The chat's tables are not up to date; ${migrationRemedy}. Missing: ${names}`)
    }
  }

  /**
   * The migrations that are missing, and their statements.
   *
   * @throws {Error} if a migration was interrupted, or if the tables are those of a version before
   *   the first release.
   */
  async pending(): Promise<PendingMigrations> {
    const { database } = this
    database.requireOneLibrary()
    try {
      await database.connect()
      return await this.#pending(database.reader)
    } catch (error) {
      throw withRemedy(database, error)
    }
  }

  async #pending(reader: Knex): Promise<PendingMigrations> {
    const missing = await this.#missing(reader)
    const begun = await this.#names(reader, this.#progressTable)
    const interrupted = missing.find(({ name }) => begun.includes(name))
    if (interrupted !== undefined) {
      throw new Error(
        `The migration ${interrupted.name} was interrupted; ${migrationRemedy}, which completes it`,
      )
    }
    const sql = missing.length === 0 ? '' : this.sql(missing, await this.#isNew(reader))
    return { names: missing.map(({ name }) => name), sql }
  }

  /**
   * The statements of all migrations, for administrators who change the production schema by hand.
   */
  sql(migrations = this.migrations, isNew = true): string {
    const { writer } = this.database
    const parts = migrations.map((migration) => {
      const note = writer(this.#bookkeeping).insert({ name: migration.name }).toQuery()
      const statements = this.#statements(migration, writer).map(({ sql, bindings }) =>
        writer.raw(sql, bindings as Knex.RawBinding[]).toQuery(),
      )
      return [`-- ${migration.name}`, ...[...statements, note].map((sql) => `${sql};`)].join('\n')
    })
    const first = isNew ? [`${this.#bookkeepingTable(writer).toString()};`] : []
    return [...first, ...parts].join('\n\n')
  }

  get #bookkeeping(): string {
    return this.database.table('migrations')
  }

  get #progressTable(): string {
    return this.database.table('migration_progress')
  }

  /** Continues without the processes at other nodes of a cluster. */
  async #migrateAlone(executor: Knex): Promise<void> {
    const { database } = this
    if (!database.isCluster) return this.#applyMissing(executor)
    if ((await this.#missing(executor)).length === 0) return
    await this.#createProgressTable(executor)
    const lock = new MigrationLock(database.writer, database.dialect, this.#progressTable)
    await lock.hold(() => this.#applyMissing(executor, () => lock.isHeld()))
  }

  async #applyMissing(
    executor: Knex,
    isAlone: () => Promise<boolean> = async () => true,
  ): Promise<void> {
    const { dialect } = this.database
    await this.database.requireFeatures(executor)
    const missing = await this.#missing(executor)
    if (missing.length === 0) return
    if (await this.#isNew(executor)) await this.#bookkeepingTable(executor)
    if (dialect.rollsBackTables) {
      for (const migration of missing) {
        await this.#run(migration, executor)
        await this.#note(migration, executor)
      }
    } else {
      await this.#createProgressTable(executor)
      const progress = new MigrationProgress(executor, dialect, this.#progressTable, isAlone)
      for (const migration of missing) {
        await progress.complete(
          migration.name,
          this.#statements(migration, executor),
          (transaction) => this.#note(migration, transaction),
        )
      }
    }
  }

  async #run(migration: Migration, executor: Knex): Promise<void> {
    // Of SQLite, which has no limit of names, Knex reads a table before it changes it.
    if (this.database.dialect.hasSingleWriter) {
      await this.#build(migration, executor)
      return
    }
    for (const { sql, bindings } of this.#statements(migration, executor)) {
      await executor.raw(sql, bindings as Knex.RawBinding[])
    }
  }

  async #note({ name }: Migration, executor: Knex): Promise<void> {
    await executor(this.#bookkeeping).insert({ name })
  }

  async #missing(executor: Knex): Promise<readonly Migration[]> {
    const applied = await this.#names(executor, this.#bookkeeping)
    const begun = await this.#names(executor, this.#progressTable)
    const known = [...applied, ...begun]
    const first = this.migrations[0]?.name
    if (first !== undefined && known.length > 0 && !known.includes(first)) {
      throw new Error(
        `The database has tables of a version before the first release, with the prefix '${this.database.tablePrefix}'. ` +
          'They cannot be migrated, and were not changed. Use another database or another tablePrefix, or drop these tables',
      )
    }
    return this.migrations.filter(({ name }) => !applied.includes(name))
  }

  async #names(executor: Knex, table: string): Promise<readonly string[]> {
    if (!(await executor.schema.hasTable(table))) return []
    return (await executor(table).whereNot({ name: lockName }).pluck('name')) as string[]
  }

  async #isNew(executor: Knex): Promise<boolean> {
    return !(await executor.schema.hasTable(this.#bookkeeping))
  }

  #bookkeepingTable(executor: Knex): Knex.SchemaBuilder {
    return this.#context(executor).create('migrations', (table) =>
      table.string('name', 100).primary(),
    ).schema
  }

  async #createProgressTable(executor: Knex): Promise<void> {
    if (await executor.schema.hasTable(this.#progressTable)) return
    try {
      await this.#context(executor).create('migration_progress', (t) => {
        t.string('name', 100).primary()
        t.integer('statements_begun').notNullable()
      }).schema
    } catch (error) {
      // Another node of a cluster may have just created it.
      const { dialect, isCluster } = this.database
      if (!isCluster || !dialect.isAppliedAlready(error)) throw error
    }
  }

  #statements(migration: Migration, executor: Knex): readonly MigrationStatement[] {
    const { dialect } = this.database
    const compiled = this.#build(migration, executor).toSQL() as unknown as CompiledStatement[]
    return compiled.map(({ sql, bindings, output }) => {
      // Knex reads the table first and generates further statements from it.
      if (output !== undefined) throw new TypeError(`${migration.name}: write as SQL: ${sql}`)
      return { sql: dialect.fitNames(sql), bindings: bindings ?? [] }
    })
  }

  #build(migration: Migration, executor: Knex): Knex.SchemaBuilder {
    const context = this.#context(executor)
    migration.up(context)
    return context.schema
  }

  #context(executor: Knex): MigrationContext {
    const { dialect, tablePrefix } = this.database
    return new MigrationContext(executor.schema, dialect, tablePrefix)
  }
}

/** The result of compiling a schema builder, which Knex's types do not describe. */
interface CompiledStatement {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  readonly output?: unknown
}
