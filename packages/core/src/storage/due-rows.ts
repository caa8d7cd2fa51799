import { nowSeconds, type Clock } from '../kernel/clock.js'
import type { Round } from '../kernel/periodic-task.js'
import type { Database } from './database.js'
import type { TableName } from './tables.js'
import type { Transaction } from './transaction.js'
import type { UnitOfWork } from './unit-of-work.js'

/** Interval at which due rows are polled, and so the maximum delay of their work. */
export const dueIntervalMilliseconds = 10_000
const batchSize = 100

/** A row of deferred work. Its table has an index of `due_at_seconds`. */
export interface DueRow {
  id: number
  organization_id: number
  /** When the work is due; null if nothing remains to be done. */
  due_at_seconds: number | null
}

/** Identifies a row and its organization. */
export type DueReference = Pick<DueRow, 'id' | 'organization_id'>

type RowWork<Row> = (tx: Transaction, row: Row) => Promise<void>

/**
 * The rows of deferred work in one table, processed by any number of processes concurrently.
 * Batches that are sent per organization, and may extend their leases, are `LeasedRows`.
 *
 * {@link workOff} finds them. Work in the database only is done by {@link deliver}: exactly once,
 * in the transaction that locks the row. Work elsewhere, such as a request to another server,
 * cannot be in a transaction: {@link lease} reserves the row for a while, and {@link settle} stores
 * the result. If the process ends in between, the row is due again after the lease.
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

  /** Up to `limit` due rows of all organizations, the longest overdue first. */
  async listDue(limit: number): Promise<DueReference[]> {
    return this.database
      .reader<DueRow>(this.database.table(this.table))
      .where('due_at_seconds', '<=', nowSeconds(this.clock))
      .orderBy('due_at_seconds')
      .limit(limit)
      .select('id', 'organization_id')
  }

  /**
   * Processes all due rows, the longest overdue first.
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
    let hasFailed = false
    for (;;) {
      const due = await this.listDue(batchSize)
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
      if (due.length < batchSize) return
    }
  }

  /** Resolves when no work of any round is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /**
   * Runs `send` in a transaction that locks the row, unless it is no longer due. If `send` throws,
   * its transaction is rolled back, and the work that `failed` returns is run in the same way.
   * Either must mark the row as done, or delete it.
   *
   * @throws the driver's error if the database is unavailable, which does not count as a failure of
   *   the row.
   */
  async processInTransaction(
    due: DueReference,
    send: RowWork<Row>,
    failed: (error: unknown) => RowWork<Row>,
  ): Promise<void> {
    try {
      await this.#whileDue(due, send)
    } catch (error) {
      if (this.database.dialect.isUnavailable(error)) throw error
      await this.#whileDue(due, failed(error))
    }
  }

  /**
   * Leases a row: it is not due for other processes for `seconds`, which must exceed the duration
   * of the work.
   *
   * @param note additional changes of the row, such as an incremented number of attempts: work that
   *   crashes the process must not be retried forever.
   * @returns the row after the change; undefined if it is no longer due, because another process
   *   took it.
   */
  async lease(
    due: DueReference,
    seconds: number,
    note: (row: Row) => Partial<Row> = () => ({}),
  ): Promise<Row | undefined> {
    const until = nowSeconds(this.clock) + seconds
    const leaseWithin = async (tx: Transaction): Promise<Row | undefined> => {
      const row = await this.#findHeld(tx, due.id)
      if (!this.#isDue(row)) return undefined
      const changes = { ...note(row), due_at_seconds: until }
      await tx
        .query(this.table)
        .where({ id: row.id } as never)
        .update(changes as never)
      return { ...row, ...changes }
    }
    return this.unitOfWork.run(due.organization_id, leaseWithin, { skipWriteLock: true })
  }

  /**
   * Runs `work` in a transaction that locks the leased row. It must mark the row as done, delete
   * it, or set `due_at_seconds` to the time of the next attempt.
   *
   * @returns false if the lease has expired and another process has taken the row since.
   */
  async settle(leased: Row, work: RowWork<Row>): Promise<boolean> {
    return this.unitOfWork.run(leased.organization_id, async (tx) => {
      const row = await this.#findHeld(tx, leased.id)
      if (row?.due_at_seconds !== leased.due_at_seconds) return false
      await work(tx, row)
      return true
    })
  }

  async #whileDue(due: DueReference, work: RowWork<Row>): Promise<void> {
    await this.unitOfWork.run(due.organization_id, async (tx) => {
      const row = await this.#findHeld(tx, due.id)
      if (this.#isDue(row)) await work(tx, row)
    })
  }

  #isDue(row: Row | undefined): row is Row {
    return row?.due_at_seconds != null && row.due_at_seconds <= nowSeconds(this.clock)
  }

  async #findHeld(tx: Transaction, id: number): Promise<Row | undefined> {
    return tx.dialect
      .lockForUpdate(tx.query(this.table).where({ id } as never))
      .first<Row | undefined>() as Promise<Row | undefined>
  }
}
