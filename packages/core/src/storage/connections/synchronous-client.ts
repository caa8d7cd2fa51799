import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

import type BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js'
import type { ClientQuery } from 'knex/lib/dialects/better-sqlite3/index.js'

import { EventLoopYielder } from '../../kernel/event-loop-yielder.js'
import { isBusy } from '../dialects/sqlite-errors.js'

/** How long a statement waits for another connection's lock, as with the other drivers. */
const lockWaitMilliseconds = 5000
const firstRetryMilliseconds = 2
const lastRetryMilliseconds = 50

/** The shared state of the pools of one server with a synchronous driver. */
export class SynchronousPools {
  readonly #yielder = new EventLoopYielder()
  #isWriting = false
  /** Each ends the pause of a read. */
  readonly #paused = new Set<() => void>()

  /** Yields to the event loop before a statement, if it is time to. */
  async before(sql: string, isWriter: boolean): Promise<void> {
    // A write transaction is not interrupted: any other write of the process would then block the
    // process, including this transaction, while it waits for it.
    if (isWriter) {
      if (isBegin(sql)) await setImmediate()
    } else if (this.#yielder.isDue && !this.#isWriting) await this.#pause()
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = withResolver()
    this.#paused.add(resolve)
    await Promise.race([this.#yielder.yield(), promise])
    this.#paused.delete(resolve)
  }

  /** Records that a statement of the writer has succeeded. */
  written(sql: string): void {
    if (isBegin(sql)) {
      this.#isWriting = true
      // The transaction may need the values that such a read loads for several calls.
      for (const resume of this.#paused) resume()
    } else if (/^\s*(commit|rollback$)/i.test(sql)) this.#isWriting = false
  }
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

function isBegin(sql: string): boolean {
  return /^\s*begin\b/i.test(sql)
}

/**
 * A client whose statements yield to the event loop. Consecutive statements of a synchronous driver
 * would otherwise all run in the same tick, and would block the process while they wait for a lock:
 * until they time out, if the same process holds the lock.
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
          const result = await super._query(connection, query)
          if (isWriter) pools.written(query.sql)
          return result
        } catch (error) {
          if (!isBusy(error) || performance.now() >= until) throw error
        }
        await sleep(Math.min(delay, lastRetryMilliseconds))
      }
    }
  }
}
