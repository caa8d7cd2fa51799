import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

import type BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js'
import type { ClientQuery } from 'knex/lib/dialects/better-sqlite3/index.js'

import { EventLoopYielder } from '../kernel/event-loop-yielder.js'
import { isBusy } from './sqlite-errors.js'

/** How long a statement waits for another connection's lock, as with the other drivers. */
const lockWaitMilliseconds = 5000
const firstRetryMilliseconds = 2
const lastRetryMilliseconds = 50

/** What the pools of one server with a synchronous driver know of each other. */
export class SynchronousPools {
  readonly #yielder = new EventLoopYielder()
  #isWriting = false

  /** Lets the rest of the process go on before a statement, where it is time for that. */
  async before(sql: string, isWriter: boolean): Promise<void> {
    // A transaction that writes is not interrupted: whatever else in the process wants to write
    // then would stop the process, this transaction too, to wait for it.
    if (isWriter) {
      if (isBegin(sql)) await setImmediate()
    } else if (this.#yielder.isDue && !this.#isWriting) await this.#yielder.yield()
  }

  /** Notes that a statement of the writer has succeeded. */
  written(sql: string): void {
    if (isBegin(sql)) this.#isWriting = true
    else if (/^\s*(commit|rollback$)/i.test(sql)) this.#isWriting = false
  }
}

function isBegin(sql: string): boolean {
  return /^\s*begin\b/i.test(sql)
}

/**
 * A client whose statements leave room for everything else that the process does. Those of a
 * synchronous driver would follow each other without an end to the running turn of the event loop,
 * and would stop the process while they wait for a lock: in vain, if what holds it is in the same
 * process and cannot go on.
 *
 * @param isWriter whether its connection writes.
 */
export function withoutBlocking(
  Base: typeof BetterSqliteClient,
  pools: SynchronousPools,
  isWriter: boolean,
): typeof BetterSqliteClient {
  return class extends Base {
    override async _query(connection: unknown, query: ClientQuery): Promise<ClientQuery> {
      await pools.before(query.sql, isWriter)
      const until = performance.now() + lockWaitMilliseconds
      for (let delay = firstRetryMilliseconds; ; delay *= 2) {
        try {
          const answered = await super._query(connection, query)
          if (isWriter) pools.written(query.sql)
          return answered
        } catch (error) {
          if (!isBusy(error) || performance.now() >= until) throw error
        }
        await sleep(Math.min(delay, lastRetryMilliseconds))
      }
    }
  }
}
