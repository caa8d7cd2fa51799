import { isDeepStrictEqual } from 'node:util'

import type { Knex } from 'knex'

import { nowSeconds, type Clock } from '../../kernel/clock.js'
import type { Round } from '../../kernel/periodic-task.js'
import type { Database } from '../database.js'
import type { OrganizationScope } from '../rows/scope.js'
import type { TableName } from '../rows/tables.js'
import { Transaction } from '../transactions/transaction.js'
import type { UnitOfWork } from '../transactions/unit-of-work.js'

/** Interval at which due rows are polled, and so the maximum delay of their work. */
export const dueIntervalMilliseconds = 10_000
const roundBatchSize = 100

/** A row of deferred work. Its table has an index of `due_at_seconds`. */
export interface DueRow {
  id: number
  organization_id: number
  /** When the work is due; null if nothing remains to be done. */
  due_at_seconds: number | null
}

/** A row that can be leased. */
export interface LeasableRow extends DueRow {
  /** When the next attempt is due; during an attempt, the end of its lease. */
  due_at_seconds: number
  /** Number of attempts that were started. */
  attempts: number
}

/** Identifies a row and its organization. */
export type DueReference = Pick<DueRow, 'id' | 'organization_id'>

/**
 * The rows of deferred work in one table. Any number of processes poll them, and one of these does
 * the work of each row:
 *
 * - Work in the database only is done in the transaction that makes the row {@link complete}: exactly
 *   once. It may be prepared before, if the row {@link isUnchanged} in the transaction.
 * - Work elsewhere, such as a request to another server, cannot be in a transaction. {@link lease}
 *   reserves rows for some seconds; then {@link change} or {@link delete} stores the outcome, in the
 *   transaction of its other effects. If the process ends in between, the rows are due again when
 *   the lease ends: at least once. `due_at_seconds` and `attempts` identify the lease, so a process
 *   that has lost it changes nothing.
 */
export class DueRows<Row extends DueRow> {
  /** Work in progress, perhaps from an earlier round. */
  readonly #underWay = new Set<Promise<void>>()

  constructor(
    private readonly table: TableName,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Up to `limit` due rows of one organization, or of all of them, the longest overdue first. */
  async listDue(limit: number, organizationId?: number): Promise<DueReference[]> {
    return this.database
      .reader<DueRow>(this.database.table(this.table))
      .where('due_at_seconds', '<=', nowSeconds(this.clock))
      .where(organizationId === undefined ? {} : { organization_id: organizationId })
      .orderBy(['due_at_seconds', 'id'])
      .limit(limit)
      .select('id', 'organization_id')
  }

  /**
   * Processes the due rows of all organizations, the longest overdue first.
   *
   * @param deliver does the work of one row, which must not be due afterwards.
   * @param atOnce maximum number of rows to process concurrently. If it is more than one, the last
   *   ones may outlive the round; see {@link idle}.
   */
  async processDue(
    round: Round,
    deliver: (due: DueReference) => Promise<void>,
    atOnce = 1,
  ): Promise<void> {
    // Work that was woken has just been stored.
    const { dueProbe } = this.database
    if (round.isDue && !(await dueProbe.hasDue(this.table, this.clock.now()))) return
    let hasFailed = false
    for (;;) {
      const due = await this.listDue(roundBatchSize)
      for (const one of due) {
        if (round.stopping.aborted || hasFailed) return
        const delivery = deliver(one)
          .catch((error: unknown) => {
            // The next rows would most likely fail too; they are retried in the next round.
            hasFailed = true
            round.failed(error)
          })
          .finally(() => this.#underWay.delete(delivery))
        this.#underWay.add(delivery)
        if (this.#underWay.size >= atOnce) await Promise.race(this.#underWay)
      }
      if (due.length < roundBatchSize) return
    }
  }

  /** Resolves when no work of any round is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /** The row, unless it is no longer due. A transaction locks it. */
  async findDue(scope: OrganizationScope, id: number): Promise<Row | undefined> {
    const [row] = await this.#find(scope, [id])
    return row !== undefined && this.#isDue(row) ? row : undefined
  }

  /** Whether the row is as it was when it was read, or leased. A transaction locks it. */
  async isUnchanged(scope: OrganizationScope, row: Row): Promise<boolean> {
    const [now] = await this.#find(scope, [row.id])
    return isDeepStrictEqual({ ...now }, { ...row })
  }

  /** Makes a due row one that is not due any more. @returns false if it was done before. */
  async complete(tx: Transaction, { id, due_at_seconds }: Row): Promise<boolean> {
    const rows = this.#rowsOf(tx, [id]).where({ due_at_seconds })
    return (await rows.update({ due_at_seconds: null })) > 0
  }

  /**
   * Leases rows of one organization, and counts an attempt of each: work that crashes the process
   * must not be retried forever.
   *
   * @param seconds must exceed the duration of the work, unless {@link change} extends the lease.
   * @returns those that are still due, in the order of their ids; another process took the others.
   */
  async lease(
    this: DueRows<Row & LeasableRow>,
    organizationId: number,
    ids: readonly number[],
    seconds: number,
  ): Promise<Row[]> {
    const leaseWithin = async (tx: Transaction): Promise<Row[]> => {
      const due = await this.#lockDue(tx, ids)
      const due_at_seconds = nowSeconds(this.clock) + seconds
      if (due.length > 0) {
        const dueIds = due.map(({ id }) => id)
        await this.#rowsOf(tx, dueIds).increment('attempts', 1).update({ due_at_seconds })
      }
      return due.map((row) => ({ ...row, attempts: row.attempts + 1, due_at_seconds }))
    }
    return this.unitOfWork.run(organizationId, leaseWithin, { skipWriteLock: true })
  }

  /** Leases all due rows of an organization in batches; see {@link lease}. */
  async *leaseBatches(
    this: DueRows<Row & LeasableRow>,
    organizationId: number,
    batchSize: number,
    seconds: number,
  ): AsyncGenerator<Row[]> {
    for (;;) {
      // Most rounds find nothing, so rows are searched for without a transaction.
      const ids = (await this.listDue(batchSize, organizationId)).map(({ id }) => id)
      if (ids.length > 0) yield await this.lease(organizationId, ids, seconds)
      if (ids.length < batchSize) return
    }
  }

  /**
   * Changes a leased row: `due_at_seconds` extends the lease, or ends it and schedules the next
   * attempt.
   *
   * @returns false if the lease is lost.
   */
  async change(
    this: DueRows<Row & LeasableRow>,
    tx: Transaction,
    { id, attempts, due_at_seconds }: LeasableRow,
    changes: Partial<Row>,
  ): Promise<boolean> {
    const changed = await this.#rowsOf(tx, [id]).where({ attempts, due_at_seconds }).update(changes)
    return changed > 0
  }

  /** Deletes those of the rows that are still leased. @returns their number. */
  async delete(tx: Transaction, leased: readonly LeasableRow[]): Promise<number> {
    if (leased.length === 0) return 0
    const ids = leased.map(({ id }) => id)
    const leases = leased.map(({ id, attempts, due_at_seconds }) => [id, attempts, due_at_seconds])
    const columns = ['id', 'attempts', 'due_at_seconds'] as const
    return this.#rowsOf(tx, ids).whereIn(columns, leases).delete()
  }

  /** Locks those of the rows that are due, until the transaction ends. */
  async #lockDue(tx: Transaction, ids: readonly number[]): Promise<Row[]> {
    return (await this.#find(tx, ids)).filter((row) => this.#isDue(row))
  }

  #isDue({ due_at_seconds }: DueRow): boolean {
    return due_at_seconds !== null && due_at_seconds <= nowSeconds(this.clock)
  }

  /** A transaction locks the rows. */
  async #find(scope: OrganizationScope, ids: readonly number[]): Promise<Row[]> {
    const query = this.#rowsOf(scope, ids).orderBy('id')
    const found = scope instanceof Transaction ? scope.dialect.lockForUpdate(query) : query
    return (await found.select('*')) as Row[]
  }

  #rowsOf(scope: OrganizationScope, ids: readonly number[]): Knex.QueryBuilder {
    return (scope.query(this.table) as Knex.QueryBuilder).whereIn('id', [...ids])
  }
}
