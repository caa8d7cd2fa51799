import type { Database } from './database.js'
import type { Transaction } from './transaction.js'

/** Brings what this process remembers of an organization up to an entry of the log. */
export type CatchUp = (organizationId: number, seq: number) => Promise<void>

/**
 * Makes the processes write in an organization one after the other. Without that, each of them
 * could look something up, find it free, and take it.
 */
export class Turns {
  constructor(
    private readonly database: Database,
    private readonly catchUp: CatchUp | undefined,
  ) {}

  /**
   * Makes the transactions of other processes wait until this one has ended, and lets this process
   * know what they have told. So what is read after this call, from caches too, is what is true at
   * the commit, and ids are in the order of the commits. To be called before anything else: who
   * waits then holds no lock that others wait for.
   */
  async take(tx: Transaction): Promise<void> {
    const { organizationId, turns } = tx
    // 0: the organization is about to be made.
    if (organizationId === 0 || turns.has(organizationId)) return
    const lastSeq = this.database.dialect.hasSingleWriter
      ? await this.#read(organizationId, tx)
      : await this.#lock(organizationId, tx)
    if (lastSeq !== undefined) await this.catchUp?.(organizationId, lastSeq)
  }

  /** Others wait already; only what they have told may be unknown here. */
  async #read(organizationId: number, { executor }: Transaction): Promise<number | undefined> {
    if (this.catchUp === undefined) return undefined
    const row = (await executor(this.database.table('organizations'))
      .where({ id: organizationId })
      .first('event_seq')) as { event_seq: number } | undefined
    return row?.event_seq
  }

  async #lock(organizationId: number, { executor, dialect, turns }: Transaction): Promise<number> {
    // The lock is that of the sequence numbers, so the first of them is taken along.
    const table = this.database.table('organizations')
    const seq = await dialect.advanceCounter(executor, table, 'event_seq', organizationId, 1)
    turns.set(organizationId, seq)
    return seq - 1
  }
}
