import type { Knex } from 'knex'

import type { Dialect } from '../dialects/dialect.js'

/** A statement of a migration, compiled by Knex. */
export interface MigrationStatement {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

/** Another process has continued the same migration. */
export class MigratedElsewhere extends Error {
  constructor(name: string) {
    super(`Another process is applying the migration ${name}`)
  }
}

/**
 * Applies migrations on a database that cannot roll back schema changes, so that a migration that
 * was interrupted at any statement is completed later.
 *
 * A row stores how many statements of the migration have begun. It is updated before each schema
 * change. After an interruption, that statement may or may not be applied, so it is run again, and
 * may then fail because it is applied already. Statements that change rows are committed together
 * with the row's new value.
 */
export class MigrationProgress {
  constructor(
    private readonly executor: Knex,
    private readonly dialect: Dialect,
    private readonly table: string,
    /** Whether no other process migrates now. */
    private readonly isAlone: () => Promise<boolean>,
  ) {}

  /**
   * Runs the statements that have not been applied yet.
   *
   * @param note records in a transaction that the migration is applied.
   * @throws {MigratedElsewhere} if another process runs the same migration.
   */
  async complete(
    name: string,
    statements: readonly MigrationStatement[],
    note: (transaction: Knex) => Promise<void>,
  ): Promise<void> {
    const begun = (await this.#begun(name)) ?? (await this.#start(name))
    const interrupted = statements[begun - 1]
    if (interrupted !== undefined && changesTables(interrupted)) {
      await this.#changeTables(name, begun, interrupted, true)
    }
    for (const [index, statement] of statements.entries()) {
      const number = index + 1
      if (number <= begun) continue
      if (changesTables(statement)) {
        await this.#advance(this.executor, name, number)
        await this.#changeTables(name, number, statement, false)
      } else {
        await this.executor.transaction(async (transaction) => {
          await this.#advance(transaction, name, number)
          await run(transaction, statement)
        })
      }
    }
    await this.executor.transaction(async (transaction) => {
      await note(transaction)
      await transaction(this.table).where({ name }).delete()
    })
  }

  async #begun(name: string): Promise<number | undefined> {
    const row = (await this.executor(this.table).where({ name }).first('statements_begun')) as
      | { statements_begun: number }
      | undefined
    return row?.statements_begun
  }

  async #start(name: string): Promise<number> {
    try {
      await this.executor(this.table).insert({ name, statements_begun: 0 })
      return 0
    } catch (error) {
      throw this.dialect.isUniqueViolation(error) ? new MigratedElsewhere(name) : error
    }
  }

  async #advance(executor: Knex, name: string, number: number): Promise<void> {
    const changed = await executor(this.table)
      .where({ name, statements_begun: number - 1 })
      .update({ statements_begun: number })
    // The migration lock ends with its connection, which a proxy may close at any time.
    if (changed !== 1) throw new MigratedElsewhere(name)
  }

  async #changeTables(
    name: string,
    number: number,
    statement: MigrationStatement,
    mayBeApplied: boolean,
  ): Promise<void> {
    try {
      await run(this.executor, statement)
    } catch (error) {
      if (mayBeApplied && this.dialect.isAppliedAlready(error)) return
      // That process has run the statement, so nothing is to be taken back.
      if (!(await this.isAlone())) throw new MigratedElsewhere(name)
      // The database has rejected the statement, so it is not applied. Without this, the next start
      // would mistake a table of the application for one of the chat.
      if (!this.dialect.isUnavailable(error)) await this.#takeBack(name, number)
      throw error
    }
  }

  async #takeBack(name: string, number: number): Promise<void> {
    await this.executor(this.table)
      .where({ name, statements_begun: number })
      .update({ statements_begun: number - 1 })
      .catch(() => {
        // The error of the statement is reported, not this one.
      })
  }
}

function changesTables({ sql }: MigrationStatement): boolean {
  return /^\s*(alter|create|drop|rename|truncate)\b/i.test(sql)
}

async function run(executor: Knex, { sql, bindings }: MigrationStatement): Promise<void> {
  await executor.raw(sql, bindings as Knex.RawBinding[])
}
