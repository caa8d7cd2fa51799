import type { Knex } from 'knex'

import type { Dialect } from '../dialects/dialect.js'
import { toBooleans, withBooleans } from './boolean-columns.js'
import type { NewRowOf, RowOf, Table } from '../tables/table.js'
import { runDirectly, withNames } from './direct-statement.js'
import { TableRows } from './table-rows.js'
import type { NewRows, OrganizationRow, TableName, Tables } from './tables.js'

/** What the types of a statement's rows cannot be derived from. */
export interface Reading {
  /** The names of computed or renamed columns that hold booleans. */
  readonly booleans?: readonly string[]
}

/** How many rows there are, and how many bytes their texts have in all. */
export interface RowsSize {
  readonly rows: number
  readonly bytes: number
}

/** A row to insert: the organization is the scope's; an id is set only if it is prescribed. */
export type NewRow<Row> = Omit<Row, 'organization_id' | 'id'> &
  (Row extends { id: string } ? { id: string } : { id?: number })

/**
 * The only access to the tables: queries that are restricted to an organization by construction.
 */
export class OrganizationScope {
  constructor(
    readonly organizationId: number,
    /** Runs the statements; a pool for reads, or the transaction. */
    readonly executor: Knex,
    readonly dialect: Dialect,
    protected readonly tablePrefix: string,
  ) {}

  /** The full name of a table, for raw SQL and joins. */
  table(name: TableName): string {
    return this.tablePrefix + name
  }

  /** `{ alias: full name }`, for joins. */
  as(name: TableName, alias: string): Record<string, string> {
    return { [alias]: this.table(name) }
  }

  /** The organization's rows of one table, for statements that name no more than values of columns. */
  rows<Of extends Table>({ name }: Of): TableRows<RowOf<Of>, NewRowOf<Of>> {
    return new TableRows(this, name as TableName)
  }

  /** A query on the organization's rows of one table; boolean columns are read as booleans. */
  query<Name extends TableName>(name: Name): Knex.QueryBuilder<Tables[Name], Tables[Name][]> {
    const table = this.table(name)
    const query = this.executor(table).where(`${table}.organization_id`, this.organizationId)
    return withBooleans(query) as unknown as Knex.QueryBuilder<Tables[Name], Tables[Name][]>
  }

  /** A query on the organization's own row, as the scope's transaction sees it. */
  organization(): Knex.QueryBuilder<OrganizationRow, OrganizationRow[]> {
    const query = this.executor(this.table('organizations')).where({ id: this.organizationId })
    return withBooleans(query) as unknown as Knex.QueryBuilder<OrganizationRow, OrganizationRow[]>
  }

  /**
   * The same as {@link query} with an alias, for joins; join the others on `organization_id` too.
   * `select<Row[]>(…)` and `first<Row | undefined>(…)` type the result.
   */
  queryAs(name: TableName, alias: string, reading: Reading = {}): Knex.QueryBuilder {
    const query = this.executor(this.as(name, alias)).where(
      `${alias}.organization_id`,
      this.organizationId,
    )
    return withBooleans(query, reading.booleans) as unknown as Knex.QueryBuilder
  }

  /**
   * Reads a large number of rows of a query in its order, optimized for drivers with a high cost
   * per row.
   *
   * @param columns their names, which must match the keys of `Row`.
   */
  async listRows<Row>(
    query: Knex.QueryBuilder,
    columns: readonly (keyof Row & string)[],
    { booleans }: Reading = {},
  ): Promise<Row[]> {
    const rows = await this.dialect.selectRows(this.executor, query.select(...columns), columns)
    toBooleans(rows, booleans)
    return rows as Row[]
  }

  /**
   * The same for raw SQL, which must restrict every table to the organization.
   *
   * @param columns those of the statement that are read.
   */
  async listRawRows<Row>(
    sql: string,
    bindings: readonly unknown[],
    columns: readonly string[],
  ): Promise<Row[]> {
    const query = this.executor.raw(sql, bindings as never)
    const rows = await this.dialect.selectRows(this.executor, query, columns)
    toBooleans(rows)
    return rows as Row[]
  }

  /** Whether all reads see one state of the database, without changes that may be rolled back. */
  get isCommittedState(): boolean {
    return false
  }

  /**
   * Reads a value for several callers; read only once if nothing can change in between.
   *
   * @param key identifies the value; callers with the same key share it.
   */
  memoize<Value>(_key: string, read: () => Promise<Value>): Promise<Value> {
    return read()
  }

  /**
   * Runs reads that do not depend on each other: at the same time, if they need not see one state. A
   * transaction has one connection, which its other statements would follow after a failure.
   */
  async readTogether<Results extends readonly unknown[]>(
    ...reads: { readonly [Index in keyof Results]: () => Promise<Results[Index]> }
  ): Promise<Results> {
    const results: unknown[] = []
    if (this.executor.isTransaction !== true) {
      results.push(...(await Promise.all(reads.map((read) => read()))))
    } else {
      for (const read of reads) results.push(await read())
    }
    return results as unknown as Results
  }

  /** Inserts rows of this organization. @returns the id of the first one, if the table has ids. */
  async insert<Name extends TableName>(
    name: Name,
    rows: NewRows[Name] | readonly NewRows[Name][],
  ): Promise<number> {
    return new TableRows<Tables[Name], NewRows[Name]>(this, name).insertMany(
      Array.isArray(rows) ? rows : [rows],
    )
  }

  /** Raises the next id of a table to at least `nextId`. */
  async reserveIds(name: TableName, nextId: number): Promise<void> {
    await this.dialect.reserveIds(this.executor, this.table(name), nextId)
  }

  /** SQL with `??` for names and `?` for values; must restrict every table to the organization. */
  async raw<Row = unknown>(
    sql: string,
    bindings: readonly unknown[],
    reading: Reading = {},
  ): Promise<Row[]> {
    const named = withNames(sql, bindings)
    const { response } = await runDirectly(this.executor, named.sql, named.values)
    const rows = this.dialect.rowsOf(response) as Row[]
    toBooleans(rows, reading.booleans)
    return rows
  }
}

/** Queries on a consistent snapshot of the database. */
export class SnapshotScope extends OrganizationScope {
  readonly #known = new Map<string, Promise<unknown>>()
  #isCommitted = true

  /** Queries within a transaction of the application, which may be rolled back. */
  static joined(...parameters: ConstructorParameters<typeof OrganizationScope>): SnapshotScope {
    const scope = new SnapshotScope(...parameters)
    scope.#isCommitted = false
    return scope
  }

  override get isCommittedState(): boolean {
    return this.#isCommitted
  }

  override memoize<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    let known = this.#known.get(key) as Promise<Value> | undefined
    if (known === undefined) {
      known = read()
      this.#known.set(key, known)
    }
    return known
  }
}
