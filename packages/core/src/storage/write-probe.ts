import { inject } from 'tsyringe'

import type { Clock } from '../kernel/clock.js'
import { perServer } from '../kernel/per-server.js'
import { ClockToken } from '../kernel/tokens.js'
import { withinTime } from '../kernel/within-time.js'
import { Database } from './database.js'

/** How long a result is used. */
const freshMilliseconds = 5000
/** How long the write waits for a lock. */
const waitMilliseconds = 1000

/** Finds out whether the database takes writes, by one without effect. */
@perServer()
export class WriteProbe {
  #last = { atMilliseconds: -Infinity, isWritable: Promise.resolve(true) }

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** Whether a write would succeed, now or when a lock is released. */
  isWritable(): Promise<boolean> {
    const now = this.clock.now()
    if (Math.abs(now - this.#last.atMilliseconds) >= freshMilliseconds) {
      this.#last = { atMilliseconds: now, isWritable: this.#probe() }
    }
    return this.#last.isWritable
  }

  /** @throws the driver's error if nothing can be written. */
  async require(): Promise<void> {
    const late = new Error('A lock is not released in time')
    try {
      await withinTime(this.clock, waitMilliseconds, this.#write(), () => late)
    } catch (error) {
      if (error !== late && !this.database.dialect.isLocked(error)) throw error
    }
  }

  #probe(): Promise<boolean> {
    return this.require().then(
      () => true,
      () => false,
    )
  }

  async #write(): Promise<void> {
    const { database } = this
    const undone = new Error('Rolled back')
    try {
      await database.transaction(async (trx) => {
        const end = await database.dialect.probeWrite(trx, database.table('migrations'))
        if (end === 'rollback') throw undone
      })
    } catch (error) {
      if (error !== undone) throw error
    }
  }
}
