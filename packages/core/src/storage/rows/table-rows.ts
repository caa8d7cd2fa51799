import type { Knex } from 'knex'

import { defaultsOf, hasIds } from '../tables/table.js'
import type { OrganizationScope, RowsSize } from './scope.js'
import type { TableName } from './tables.js'

/** Conditions on columns: a value, or one of several. */
type Values<Row> = {
  readonly [Column in keyof Row]?: Row[Column] | readonly Row[Column][]
}

/** The organization's rows of one table, for statements that name no more than values of columns. */
export class TableRows<Row, NewRow> {
  constructor(
    private readonly scope: OrganizationScope,
    private readonly name: TableName,
    private readonly columns: readonly (keyof Row & string)[],
    /** The columns of the unique key. */
    private readonly uniqueKey: readonly string[] = [],
  ) {}

  async find(values: Values<Row>): Promise<Row | undefined> {
    const query = this.#where(values).limit(1)
    return (await this.#rows(query))[0]
  }

  /** The same, with an exclusive lock until the transaction ends. */
  async lock(values: Values<Row>): Promise<Row | undefined> {
    const query = this.scope.dialect.lockForUpdate(this.#where(values))
    return (await query.first()) as Row | undefined
  }

  async has(values: Values<Row>): Promise<boolean> {
    return (await this.#where(values).first('organization_id')) !== undefined
  }

  /** @param orderBy columns, ascending. */
  async list(
    values: Values<Row> = {},
    ...orderBy: readonly (keyof Row & string)[]
  ): Promise<Row[]> {
    if (isImpossible(values)) return []
    const query = this.#where(values)
    for (const column of orderBy) void query.orderBy(column)
    return this.#rows(query)
  }

  async count(values: Values<Row> = {}): Promise<number> {
    if (isImpossible(values)) return 0
    const [row] = await this.#where(values).count<{ rows: number | string }[]>('* as rows')
    return Number(row?.rows)
  }

  /** The number of rows, and the bytes of these texts in all of them. */
  async size(values: Values<Row>, texts: readonly (keyof Row & string)[]): Promise<RowsSize> {
    const bytes = texts.map(() => 'COALESCE(OCTET_LENGTH(??), 0)').join(' + ')
    const row = await this.#where(values).first<{
      row_count: number | string
      bytes: number | string | null
    }>(this.scope.executor.raw(`COUNT(*) AS row_count, SUM(${bytes}) AS bytes`, [...texts]))
    return { rows: Number(row.row_count), bytes: Number(row.bytes ?? 0) }
  }

  /** @returns the id of the row, if the table has ids. */
  async insert(row: NewRow): Promise<number> {
    return this.insertMany([row])
  }

  /** @returns the id of the first one, if the table has ids. */
  async insertMany(rows: readonly NewRow[]): Promise<number> {
    const [id] = await this.#insert(rows, 'first')
    return id ?? 0
  }

  /** @returns the ids, in the order of the rows. */
  async insertAll(rows: readonly NewRow[]): Promise<number[]> {
    return [...(await this.#insert(rows, 'all'))]
  }

  async #insert(rows: readonly NewRow[], ids: 'first' | 'all'): Promise<readonly number[]> {
    if (rows.length === 0) return []
    const { dialect, executor, organizationId } = this.scope
    // A statement has the same columns in all rows.
    const defaults = defaultsOf(this.name)
    const scoped = rows.map((row) => ({ ...defaults, ...row, organization_id: organizationId }))
    const wanted = hasIds(this.name) ? ids : 'none'
    return dialect.insertRows(executor, this.scope.table(this.name), scoped, wanted)
  }

  /**
   * Inserts a row, unless there is one with the same unique key, also one that the transaction does
   * not see.
   *
   * @returns the id of the one or the other.
   */
  async insertIfAbsent(row: NewRow): Promise<number> {
    const { dialect, executor, organizationId } = this.scope
    return dialect.insertIfAbsent(executor, this.scope.table(this.name), this.uniqueKey, {
      ...defaultsOf(this.name),
      ...row,
      organization_id: organizationId,
    })
  }

  /** @returns the number of rows that have the values. */
  async update(values: Values<Row>, changes: Partial<Row>): Promise<number> {
    return isImpossible(values) ? 0 : this.#where(values).update(changes)
  }

  /** Sets the `position` of each row to the index of its id, in one statement. */
  async reorder(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const places = ids.map(() => 'WHEN ? THEN ?').join(' ')
    await this.scope.raw(
      `UPDATE ?? SET position = CASE id ${places} END WHERE organization_id = ?`,
      [
        this.scope.table(this.name),
        ...ids.flatMap((id, index) => [id, index]),
        this.scope.organizationId,
      ],
    )
  }

  /** @returns the number of rows that there were. */
  async delete(values: Values<Row>): Promise<number> {
    return isImpossible(values) ? 0 : this.#where(values).delete()
  }

  async #rows(query: Knex.QueryBuilder): Promise<Row[]> {
    return this.scope.isReadingTogether
      ? this.scope.listRows<Row>(query, this.columns)
      : ((await query.select('*')) as Row[])
  }

  #where(values: Values<Row>): Knex.QueryBuilder {
    const query = this.scope.query(this.name) as unknown as Knex.QueryBuilder
    for (const [column, value] of Object.entries<unknown>(values)) {
      if (Array.isArray(value)) void query.whereIn(column, value)
      else void query.where(column, value as Knex.Value)
    }
    return query
  }
}

/** Whether a column would have to be one of no values: there are no such rows, and none are read. */
function isImpossible(values: object): boolean {
  return Object.values(values).some((value) => Array.isArray(value) && value.length === 0)
}
