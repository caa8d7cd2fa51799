import type { Database } from '../database.js'
import type { ReservedNumbers } from '../log/event-log-writer.js'
import { quoted, runDirectly } from '../rows/direct-statement.js'
import type { Transaction } from './transaction.js'

/** Updates this process's caches of an organization up to an entry of the log. */
export type CatchUp = (organizationId: number, seq: number) => Promise<void>

/**
 * A lock per organization that writes hold until they commit, across processes. Without it, two
 * processes could both read that a name is free, and both take it.
 */
export class OrganizationWriteLock {
  constructor(
    private readonly database: Database,
    private readonly catchUp: CatchUp | undefined,
  ) {}

  /**
   * Locks the organization until the transaction ends, and applies the commits of other
   * processes to this process's caches. Rows and caches that are read after this call cannot change
   * before the commit, and ids are in the order of the commits. Acquire it first in the
   * transaction: the transaction then holds no other lock while it waits, so there is no deadlock.
   */
  async acquire({ organizationId, executor, dialect }: Transaction): Promise<void> {
    if (!(await this.#isNeeded(organizationId))) return
    // The row with the sequence numbers of events, which every write locks at its end anyway.
    const { response } = await runDirectly(
      executor,
      `SELECT event_seq FROM ${quoted(this.database.table('organizations'))} WHERE id = ?${dialect.forUpdate}`,
      [organizationId],
    )
    const [row] = dialect.rowsOf(response) as readonly { event_seq: number }[]
    if (row !== undefined) await this.catchUp?.(organizationId, row.event_seq)
  }

  /**
   * The same, and takes the next `count` numbers of the log with the same statement, for the events
   * that the transaction will probably have.
   *
   * @returns undefined if no number was taken.
   */
  async acquireWithNumbers(
    { organizationId, executor, dialect }: Transaction,
    count: number,
  ): Promise<ReservedNumbers | undefined> {
    if (!(await this.#isNeeded(organizationId))) return undefined
    const table = this.database.table('organizations')
    const lastSeq = await dialect.advanceCounter(
      executor,
      table,
      'event_seq',
      organizationId,
      count,
    )
    if (lastSeq === undefined) return undefined
    await this.catchUp?.(organizationId, lastSeq - count)
    return { lastSeq, count }
  }

  async #isNeeded(organizationId: number): Promise<boolean> {
    // 0: the organization is being created.
    if (organizationId === 0) return false
    await this.database.joined.settle(organizationId)
    // SQLite has one writer, and without `catchUp` there are no other processes.
    return !this.database.dialect.hasSingleWriter || this.catchUp !== undefined
  }
}
