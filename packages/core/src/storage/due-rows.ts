import { nowSeconds, type Clock } from '../kernel/clock.js'
import type { Round } from '../kernel/periodic-task.js'
import type { Database } from './database.js'
import type { TableName } from './tables.js'
import type { Transaction } from './transaction.js'
import type { UnitOfWork } from './unit-of-work.js'

/** How often what is due is looked for; how late it may be done, therefore. */
export const dueIntervalMilliseconds = 10_000
const batchSize = 100

/** A row that asks for something to be done later. Its table has an index of `due_at_seconds`. */
export interface DueRow {
  id: number
  organization_id: number
  /** When it is to be done; null when nothing is to be done any more. */
  due_at_seconds: number | null
}

/** Which row, of which organization. */
export type DueReference = Pick<DueRow, 'id' | 'organization_id'>

type RowWork<Row> = (tx: Transaction, row: Row) => Promise<void>

/**
 * The rows of one table that are to be worked off, by however many processes at once.
 *
 * {@link workOff} finds them. What is done in the database alone is done by {@link deliver}:
 * exactly once, in the transaction that holds the row. What is done elsewhere, such as a request to
 * another server, cannot be in a transaction: {@link lease} keeps the row from others for a while,
 * and {@link settle} writes down what came of it. If the process ends in between, the row is due
 * again after the lease.
 */
export class DueRows<Row extends DueRow> {
  /** What was begun, perhaps in an earlier round. */
  readonly #underWay = new Set<Promise<void>>()

  constructor(
    private readonly table: TableName,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Up to `limit` rows of all organizations that are due, the longest due first. */
  async listDue(limit: number): Promise<DueReference[]> {
    return this.database
      .reader<DueRow>(this.database.table(this.table))
      .where('due_at_seconds', '<=', nowSeconds(this.clock))
      .orderBy('due_at_seconds')
      .limit(limit)
      .select('id', 'organization_id')
  }

  /**
   * Has everything done that is due, the longest due first.
   *
   * @param deliver does what one row asks for. Afterwards it must not be due any more.
   * @param atOnce how many rows may be worked off at the same time. Where it is more than one, the
   *   last ones may outlive the round; see {@link idle}.
   */
  async workOff(
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
            // The next ones would most likely meet the same; they are tried in the next round.
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

  /** Resolves when nothing that rounds have begun is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /**
   * Runs `send` in a transaction that holds the row, unless it is no longer due. Where `send`
   * throws, all that it did is rolled back, and what `failed` answers is run in the same way. Either
   * must mark the row as done, or delete it.
   *
   * @throws the driver's error if the database is away, which says nothing about the row.
   */
  async deliver(
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
   * Takes a row: for `seconds`, longer than the work may last, nobody else finds it due.
   *
   * @param note what else to write down, such as that it was tried once more: work that ends the
   *   process every time must not go on for ever.
   * @returns the row as it is then; undefined if it is no longer due, because another process was
   *   faster.
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
   * Runs `work` in a transaction that holds the leased row. It must mark the row as done, delete
   * it, or move `due_at_seconds` to when it is to be tried again.
   *
   * @returns whether it did: not if the lease ended and another process has taken the row since.
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
