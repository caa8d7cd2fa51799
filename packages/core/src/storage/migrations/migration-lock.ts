import { setTimeout as sleep } from 'node:timers/promises'

import type { Knex } from 'knex'

import type { Dialect } from '../dialects/dialect.js'

/** Cannot be the name of a migration. */
export const lockName = '@lock'

const beatMilliseconds = 1000
const lookMilliseconds = 250
/** Looks at a number that does not change, after which the lock is taken over: 15 seconds. */
const looksBeforeTakeover = 60

/**
 * The lock of migrations in a cluster, where `GET_LOCK` excludes the processes of one node only: a
 * row whose number its holder increases every second. Clocks of machines may differ, so others
 * measure for how long the number has not changed.
 *
 * A holder can lose it, for example while another statement pauses the cluster. So it asks after an
 * error whether it still holds it.
 */
export class MigrationLock {
  #number = 0

  /** @param table that of the progress of migrations. */
  constructor(
    private readonly pool: Knex,
    private readonly dialect: Dialect,
    private readonly table: string,
  ) {}

  /**
   * Runs `work` while this process holds the lock. Waits for another process as long as that goes on.
   */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#acquire()
    const ended = new AbortController()
    const beating = this.#beat(ended.signal)
    try {
      return await work()
    } finally {
      ended.abort()
      await beating
      // Without this, others wait until they take it over.
      await this.#row(this.#number)
        .delete()
        .catch(() => {})
    }
  }

  /** Whether this process still holds it. */
  async isHeld(): Promise<boolean> {
    return (await this.#read()) === this.#number
  }

  async #acquire(): Promise<void> {
    let seen: number | undefined
    let looksAtIt = 0
    for (;;) {
      const number = await this.#read()
      if (number === undefined) {
        if (await this.#insert()) return
      } else if (number !== seen) {
        seen = number
        looksAtIt = 0
      } else {
        looksAtIt += 1
        if (looksAtIt >= looksBeforeTakeover && (await this.#increase(number))) return
      }
      await sleep(lookMilliseconds)
    }
  }

  async #beat(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      // A failure is not fatal: there is time for several attempts before others take it over.
      await this.#increase(this.#number).catch(() => {})
      await sleep(beatMilliseconds, undefined, { signal: ended }).catch(() => {})
    }
  }

  async #read(): Promise<number | undefined> {
    const row = (await this.pool(this.table)
      .where({ name: lockName })
      .first('statements_begun')) as { statements_begun: number } | undefined
    return row?.statements_begun
  }

  async #insert(): Promise<boolean> {
    try {
      await this.pool(this.table).insert({ name: lockName, statements_begun: 1 })
      this.#number = 1
      return true
    } catch (error) {
      // Another process has just inserted it, here or at another node.
      if (this.dialect.isUniqueViolation(error) || this.dialect.isRetryable(error)) return false
      throw error
    }
  }

  async #increase(number: number): Promise<boolean> {
    const changed = await this.#row(number).update({ statements_begun: number + 1 })
    if (changed === 1) this.#number = number + 1
    return changed === 1
  }

  #row(number: number) {
    return this.pool(this.table).where({ name: lockName, statements_begun: number })
  }
}
