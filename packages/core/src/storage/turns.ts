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
  async take({ organizationId, executor, dialect }: Transaction): Promise<void> {
    // 0: the organization is about to be made.
    if (organizationId === 0) return
    // Others wait already, and nobody else can have told anything.
    if (dialect.hasSingleWriter && this.catchUp === undefined) return
    // The lock is that of the sequence numbers, which every write takes in the end.
    const query = executor(this.database.table('organizations')).where({ id: organizationId })
    const row = (await dialect.lockForUpdate(query).first('event_seq')) as
      | { event_seq: number }
      | undefined
    if (row !== undefined) await this.catchUp?.(organizationId, row.event_seq)
  }
}
