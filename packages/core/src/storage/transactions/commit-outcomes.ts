import { randomInt } from 'node:crypto'

import type { LogRecord } from '../../events/log/log-entry.js'
import type { Clock } from '../../kernel/clock.js'
import type { Database } from '../database.js'
import { quoted, runDirectly } from '../rows/direct-statement.js'
import { Retries } from './retries.js'

/** How long the database is asked whether a transaction was committed, in milliseconds. */
const deadlineMilliseconds = 10_000
const markRange = 2 ** 48 - 1

/** Marks transactions in the log, so that one whose commit got no answer can be found. */
export class CommitOutcomes {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** A mark for the entries of a transaction; null if every commit is answered. */
  newMark(): number | null {
    return this.database.dialect.isAnswerLost === undefined ? null : randomInt(1, markRange)
  }

  /** Whether the failure of a commit does not tell whether the transaction was committed. */
  isUnknown(error: unknown): boolean {
    return this.database.dialect.isAnswerLost?.(error) === true
  }

  /**
   * Whether a transaction with a mark was committed. Asks on other connections, also of other nodes,
   * until one of them answers.
   *
   * @throws after ten seconds without an answer, the error of the last attempt.
   */
  async isCommitted(records: readonly LogRecord[], mark: number): Promise<boolean> {
    const [record] = records
    if (record === undefined) return false
    const retries = new Retries(this.clock, deadlineMilliseconds)
    for (;;) {
      try {
        return (await this.#markAt(record)) === mark
      } catch (error) {
        if (!(await retries.next())) throw error
      }
    }
  }

  /** The mark of an entry; undefined without one. */
  async #markAt({ organizationId, seq }: LogRecord): Promise<number | null | undefined> {
    const { dialect } = this.database
    const open = await this.database.begin(organizationId)
    const read = async (sql: string, bindings: readonly number[]): Promise<readonly unknown[]> =>
      dialect.rowsOf((await runDirectly(open.executor, sql, bindings)).response)
    try {
      // The server may still be executing the commit: this waits for it.
      await read(
        `SELECT id FROM ${quoted(this.database.table('organizations'))} WHERE id = ?${dialect.forUpdate}`,
        [organizationId],
      )
      const [row] = await read(
        `SELECT commit_mark FROM ${quoted(this.database.table('events'))}
         WHERE organization_id = ? AND seq = ?`,
        [organizationId, seq],
      )
      return (row as { commit_mark: number | null } | undefined)?.commit_mark
    } finally {
      await open.rollback().catch(() => {})
    }
  }
}
