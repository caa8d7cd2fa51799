import type { Knex } from 'knex'

import type { Dialect } from '../dialects/dialect.js'

/** The schema builder of one migration, with the prefixed table names. */
export class MigrationContext {
  constructor(
    readonly schema: Knex.SchemaBuilder,
    readonly dialect: Dialect,
    private readonly tablePrefix: string,
  ) {}

  /** The full name of a table. */
  table(name: string): string {
    return this.tablePrefix + name
  }

  /**
   * Adds a table. Its texts are compared byte by byte on every database; case-insensitive
   * comparisons use an additional folded column.
   */
  create(name: string, build: (table: Knex.CreateTableBuilder) => void): this {
    this.schema.createTable(this.table(name), (table) => {
      if (this.dialect.name === 'mysql') {
        table.charset('utf8mb4')
        table.collate('utf8mb4_bin')
      }
      build(table)
    })
    return this
  }

  /** Adds a statement. */
  raw(sql: string): this {
    this.schema.raw(sql)
    return this
  }
}

/**
 * One step of the schema's history. Never edited after a release that contained it: a process may
 * have been interrupted at any of its statements, and the next one continues from there.
 */
export interface Migration {
  /** Sorts after all earlier ones. */
  readonly name: string
  /** Adds its statements to the context. */
  up(context: MigrationContext): void
}
