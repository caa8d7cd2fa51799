import { nowSeconds, type Clock } from '../kernel/clock.js'
import type { Database } from './database.js'
import type { OrganizationScope } from './scope.js'
import type { TableName } from './tables.js'
import type { Transaction } from './transaction.js'
import type { UnitOfWork } from './unit-of-work.js'

/** A row of work at another server. Its table has an index of organization and `due_at_seconds`. */
export interface LeasedRow {
  organization_id: number
  /** Number of attempts that were started. */
  attempts: number
  /** When the next attempt is due; during an attempt, the end of its lease. */
  due_at_seconds: number
}

/** The result of {@link LeasedRows.lease}. */
export interface LeasedBatch<Row> {
  readonly leased: readonly Row[]
  /** Rows that were deleted because they had the maximum number of attempts. */
  readonly exhausted: readonly Row[]
  /** Number of rows that were found; fewer than the limit means that no others are due. */
  readonly dueCount: number
}

/**
 * The batches of deferred work in one table, leased per organization by any number of processes;
 * `DueRows` leases single rows in the same way.
 *
 * A leased row is not due until its lease ends. `due_at_seconds` and `attempts` identify the lease:
 * changes by a process that has lost it have no effect. If a process ends before it has stored the
 * outcome, another one leases the row again.
 */
export class LeasedRows<Row extends LeasedRow> {
  /** @param key the primary key of the table. */
  constructor(
    private readonly table: TableName,
    private readonly key: keyof Row & string,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Up to `limit` organizations with due rows. */
  async listOrganizationIds(limit: number): Promise<number[]> {
    const rows = await this.database
      .reader(this.database.table(this.table))
      .where('due_at_seconds', '<=', nowSeconds(this.clock))
      .distinct<{ organization_id: number }[]>('organization_id')
      .limit(limit)
    return rows.map((row) => row.organization_id)
  }

  /** Whether the organization has due rows. */
  async hasDue(scope: OrganizationScope): Promise<boolean> {
    const row = await scope
      .query(this.table)
      .where('due_at_seconds', '<=', nowSeconds(this.clock))
      .first<object | undefined>(this.key)
    return row !== undefined
  }

  /**
   * Leases up to `limit` due rows, the longest overdue first, and counts an attempt of each.
   *
   * @param seconds must exceed the duration of the work, unless the lease is extended by
   *   {@link change}.
   * @param maxAttempts rows with this many attempts are deleted instead.
   */
  async lease(
    organizationId: number,
    limit: number,
    seconds: number,
    maxAttempts = Infinity,
  ): Promise<LeasedBatch<Row>> {
    const leaseWithin = async (tx: Transaction): Promise<LeasedBatch<Row>> => {
      const now = nowSeconds(this.clock)
      const query = tx
        .query(this.table)
        .where('due_at_seconds', '<=', now)
        .orderBy(['due_at_seconds', this.key])
        .limit(limit)
        .select<Row[]>('*')
      const due = (await tx.dialect.lockForUpdate(query)) as Row[]
      const exhausted = due.filter(({ attempts }) => attempts >= maxAttempts)
      const pending = due.filter(({ attempts }) => attempts < maxAttempts)
      await this.delete(tx, exhausted)
      const due_at_seconds = now + seconds
      if (pending.length > 0) {
        await tx
          .query(this.table)
          .whereIn(
            this.key,
            pending.map((row) => row[this.key] as number),
          )
          .increment('attempts', 1)
          .update({ due_at_seconds } as never)
      }
      const leased = pending.map((row) => ({ ...row, attempts: row.attempts + 1, due_at_seconds }))
      return { leased, exhausted, dueCount: due.length }
    }
    return this.unitOfWork.run(organizationId, leaseWithin, { skipWriteLock: true })
  }

  /**
   * Changes a leased row: `due_at_seconds` extends the lease, or ends it and schedules the next
   * attempt.
   *
   * @returns false if another process has the lease, or the row was replaced.
   */
  async change(tx: Transaction, leased: Row, changes: Partial<Row>): Promise<boolean> {
    const { attempts, due_at_seconds } = leased
    const changed = await tx
      .query(this.table)
      .where({ [this.key]: leased[this.key], attempts, due_at_seconds } as never)
      .update(changes as never)
    return changed > 0
  }

  /** Deletes those of the rows that are still leased. @returns their number. */
  async delete(tx: Transaction, leased: readonly Row[]): Promise<number> {
    if (leased.length === 0) return 0
    return tx
      .query(this.table)
      .whereIn(
        [this.key, 'attempts', 'due_at_seconds'],
        leased.map((row) => [row[this.key] as number, row.attempts, row.due_at_seconds]),
      )
      .delete()
  }
}
