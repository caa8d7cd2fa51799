import { setTimeout as sleep } from 'node:timers/promises'

import { defineRecord } from '../../events/record-kind.js'
import type { Database } from '../database.js'

/**
 * The last record of a write inside the application's transaction; its presence in the log shows
 * that it committed.
 */
export const joined = defineRecord<{ readonly token: string }>('@joined')

const firstPauseMilliseconds = 2
const lastPauseMilliseconds = 100
/** Between questions whether the organization is still locked, which cost a connection. */
const lockPauseMilliseconds = 500
/** A transaction that is open for longer is not followed any more. */
const maxMilliseconds = 10 * 60_000

/** A write in a transaction of the application. */
export interface JoinedWrite {
  readonly organizationId: number
  /** The number of its last record in the log. */
  readonly seq: number
  readonly token: string
}

interface Followed extends JoinedWrite {
  readonly host: object
  readonly sinceMilliseconds: number
  readonly decide: (isCommitted: boolean) => void
  readonly giveUp: (error: Error) => void
}

/**
 * Finds out whether transactions of the application have committed whose end nothing reports: the
 * log is read until the number of a write is taken, by it or by a later one, or until the
 * organization is not locked any more.
 */
export class FollowedCommits {
  /** By organization. */
  readonly #followed = new Map<number, Set<Followed>>()

  constructor(private readonly database: Database) {}

  /** Whether a write is in the log, if its transaction has ended. */
  async isCommitted({ organizationId, seq, token }: JoinedWrite): Promise<boolean> {
    return (await this.#tokens(organizationId, seq)).get(seq) === token
  }

  /** Whether a write in this transaction is followed. */
  isFollowing(host: object): boolean {
    return [...this.#followed.values()].some((writes) =>
      [...writes].some((write) => write.host === host),
    )
  }

  /**
   * Calls `decided` with whether a write is committed, as soon as that is known.
   *
   * @param host the transaction.
   * @throws {Error} if the transaction does not end.
   */
  async follow(
    write: JoinedWrite,
    host: object,
    decided: (isCommitted: boolean) => void,
  ): Promise<void> {
    const known = this.#followed.get(write.organizationId)
    const writes = known ?? new Set()
    if (known === undefined) {
      this.#followed.set(write.organizationId, writes)
      void this.#watch(write.organizationId, writes)
    }
    await new Promise<void>((resolve, giveUp) => {
      const decide = (isCommitted: boolean): void => {
        decided(isCommitted)
        resolve()
      }
      writes.add({ ...write, host, sinceMilliseconds: performance.now(), decide, giveUp })
    })
  }

  /** Looks for what is committed by now; undefined if nothing of the organization is followed. */
  settle(organizationId: number): undefined | Promise<void> {
    const writes = this.#followed.get(organizationId)
    return writes && this.#settle(organizationId, writes, false)
  }

  async #watch(organizationId: number, writes: Set<Followed>): Promise<void> {
    let pause = firstPauseMilliseconds
    let asked = performance.now()
    do {
      await sleep(pause)
      pause = Math.min(pause * 2, lastPauseMilliseconds)
      const now = performance.now()
      const asks = now - asked >= lockPauseMilliseconds
      if (asks) asked = now
      try {
        const haveEnded = asks && (await this.#isUnlocked(organizationId))
        await this.#settle(organizationId, writes, haveEnded)
      } catch {
        // The database may be back later.
        pause = lockPauseMilliseconds
      }
      for (const write of writes) {
        if (now - write.sinceMilliseconds < maxMilliseconds) continue
        writes.delete(write)
        write.giveUp(new Error('The transaction of the application has not ended'))
      }
    } while (writes.size > 0)
    this.#followed.delete(organizationId)
  }

  async #isUnlocked(organizationId: number): Promise<boolean> {
    const { database } = this
    // There, a lock is that of one server, and the transaction may be at another one.
    const { executors } = database.dialect
    if (database.isCluster) return false
    return database.withDedicatedConnection((single) =>
      executors.isUnlocked(single, database.table('organizations'), organizationId),
    )
  }

  /** @param haveEnded whether all of these transactions had ended before this call. */
  async #settle(organizationId: number, writes: Set<Followed>, haveEnded: boolean): Promise<void> {
    const looked = [...writes]
    if (looked.length === 0) return
    const head = await this.database.readCommitted(organizationId).organization().first('event_seq')
    const headSeq = head?.event_seq ?? 0
    const decidable = looked.filter(({ seq }) => haveEnded || seq <= headSeq)
    if (decidable.length === 0) return
    const fromSeq = Math.min(...decidable.map(({ seq }) => seq))
    const tokens = await this.#tokens(organizationId, fromSeq)
    for (const write of decidable) {
      // Another call may have decided it meanwhile.
      if (writes.delete(write)) write.decide(tokens.get(write.seq) === write.token)
    }
  }

  /** The tokens of the joined writes from this number on, by their numbers. */
  async #tokens(organizationId: number, fromSeq: number): Promise<ReadonlyMap<number, string>> {
    const rows = await this.database
      .readCommitted(organizationId)
      .query('events')
      .where({ kind: joined.kind })
      .where('seq', '>=', fromSeq)
      .select('seq', 'data')
    return new Map(
      rows.map(({ seq, data }) => [seq, (JSON.parse(data) as { token: string }).token]),
    )
  }
}
