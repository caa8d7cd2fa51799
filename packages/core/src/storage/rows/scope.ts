import type { Knex } from 'knex'

import { keysOf } from '../../kernel/objects.js'
import type { Dialect } from '../dialects/dialect.js'
import { toBooleans, withBooleans } from './boolean-columns.js'
import type { NewRowOf, RowOf, Table } from '../tables/table.js'
import { runDirectly, withNames } from './direct-statement.js'
import { ReadBatch } from './read-batch.js'
import { TableRows } from './table-rows.js'
import type { NewRows, OrganizationRow, TableName, Tables } from './tables.js'

/** The types of a statement's columns that cannot be derived from their names. */
export interface Reading {
  /** The names of computed or renamed columns that hold booleans. */
  readonly booleans?: readonly string[]
}

/** The columns of rows: their names, or also where each is from, such as `{ user_id: 'u.id' }`. */
export type RowColumns<Row> =
  | readonly (keyof Row & string)[]
  | { readonly [Column in keyof Row]: string | Knex.Raw }

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
  /** Sends the reads of {@link readTogether}. */
  #batch: ReadBatch | undefined
  #openBatches = 0

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

  /** An inner join of a table, which the database reads after what is left of the join. */
  orderedJoin(name: TableName, alias: string, condition: string): string {
    return this.dialect.orderedJoin('INNER', this.table(name), alias, condition)
  }

  /** The same with all rows of what is left of the join. */
  orderedLeftJoin(name: TableName, alias: string, condition: string): string {
    return this.dialect.orderedJoin('LEFT', this.table(name), alias, condition)
  }

  /** `{ alias: full name }`, for joins. */
  as(name: TableName, alias: string): Record<string, string> {
    return { [alias]: this.table(name) }
  }

  /** The organization's rows of one table, for statements that name no more than values of columns. */
  rows<Of extends Table>({ name, columns, unique = [] }: Of): TableRows<RowOf<Of>, NewRowOf<Of>> {
    const [key = []] = unique.map((one) => ('columns' in one ? one.columns : one))
    return new TableRows(this, name as TableName, keysOf(columns as Of['columns']), key)
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
   * Reads rows of a query in its order, optimized for drivers with a high cost per row. Among the
   * reads of {@link readTogether}, they are read with the rows of the others.
   */
  async listRows<Row>(
    query: Knex.QueryBuilder,
    columns: RowColumns<Row>,
    { booleans }: Reading = {},
  ): Promise<Row[]> {
    const rows = isList(columns)
      ? await this.#list(query.select(...columns), columns)
      : await this.#list(query.select(columns as Record<string, string>), Object.keys(columns))
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
    const rows = await this.#list(this.executor.raw(sql, bindings as never), columns)
    toBooleans(rows)
    return rows as Row[]
  }

  #list(
    query: Knex.QueryBuilder | Knex.Raw,
    columns: readonly string[],
  ): Promise<Record<string, unknown>[]> {
    return (
      this.#batch?.list({ query, columns }) ??
      this.dialect.selectRows(this.executor, query, columns)
    )
  }

  /** Whether all reads see one state of the database, without changes that may be rolled back. */
  get isCommittedState(): boolean {
    return false
  }

  /**
   * The kinds of the events that a write has emitted which has locked the organization: of everything
   * else, what this process knows is current. Undefined outside such a write.
   */
  get kindsOfLockedWrite(): ReadonlySet<string> | undefined {
    return undefined
  }

  /**
   * Reads a value for several callers; read only once if nothing can change in between.
   *
   * @param key identifies the value; callers with the same key share it.
   */
  memoize<Value>(_key: string, read: () => Promise<Value>): Promise<Value> {
    return read()
  }

  /** Whether reads are sent together with others. */
  get isReadingTogether(): boolean {
    return this.#batch !== undefined
  }

  /**
   * Runs reads that do not depend on each other at the same time: {@link listRows} and the lists of
   * {@link rows} that begin together are one statement. With a driver that blocks the process, which
   * must not yield in a transaction, they run one after the other.
   */
  async readTogether<Results extends readonly unknown[]>(
    ...reads: { readonly [Index in keyof Results]: () => Promise<Results[Index]> }
  ): Promise<Results> {
    const { executor, dialect } = this
    if (dialect.selectTogether === undefined) {
      const inTurn: unknown[] = []
      for (const read of reads) inTurn.push(await read())
      return inTurn as unknown as Results
    }
    this.#batch ??= new ReadBatch(executor, dialect.selectTogether)
    this.#openBatches += 1
    // No statement may follow the failure of another one once the caller knows of it.
    const results = await Promise.allSettled(reads.map((read) => read()))
    this.#openBatches -= 1
    if (this.#openBatches === 0) this.#batch = undefined
    return results.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    }) as unknown as Results
  }

  /** Inserts rows of this organization. @returns the id of the first one, if the table has ids. */
  async insert<Name extends TableName>(
    name: Name,
    rows: NewRows[Name] | readonly NewRows[Name][],
  ): Promise<number> {
    return new TableRows<Tables[Name], NewRows[Name]>(this, name, []).insertMany(
      Array.isArray(rows) ? rows : [rows],
    )
  }

  /** The same. @returns the ids, in the order of the rows. */
  async insertAll<Name extends TableName>(
    name: Name,
    rows: readonly NewRows[Name][],
  ): Promise<number[]> {
    return new TableRows<Tables[Name], NewRows[Name]>(this, name, []).insertAll(rows)
  }

  /** Runs an `INSERT … SELECT`, written as for {@link raw}. @returns the number of new rows. */
  async insertSelected(sql: string, bindings: readonly unknown[]): Promise<number> {
    const named = withNames(sql, bindings)
    const run = await runDirectly(this.executor, named.sql, named.values, 'insert')
    return this.dialect.insertedRows(run)
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

function isList<Row>(columns: RowColumns<Row>): columns is readonly (keyof Row & string)[] {
  return Array.isArray(columns)
}
