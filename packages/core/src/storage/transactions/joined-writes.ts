import type { Knex } from 'knex'

import { ChatError } from '../../errors/index.js'
import type { Logger } from '../../kernel/logger.js'
import { randomToken } from '../../kernel/random.js'
import type { Database } from '../database.js'
import type { EventLogWriter } from '../log/event-log-writer.js'
import { joined, type JoinedWrite } from './followed-commits.js'
import { outermost } from './joined-transactions.js'
import type { OrganizationWriteLock } from './organization-write-lock.js'
import type { Publish } from './transaction-attempt.js'
import { Transaction } from './transaction.js'

interface JoinedWriteParts {
  readonly database: Database
  readonly log: EventLogWriter
  readonly writeLock: OrganizationWriteLock
  readonly logger: Logger
  readonly publish: Publish
  /** Takes note of work that must end before the server is closed. */
  readonly untilDone: (publishing: Promise<void>) => void
}

/** Writes in transactions of the application, whose events are published when they commit. */
export class JoinedWrites {
  constructor(private readonly parts: JoinedWriteParts) {}

  async run<Result>(
    organizationId: number,
    work: (tx: Transaction) => Promise<Result>,
    host: Knex.Transaction,
  ): Promise<Result> {
    const { joined: calls } = this.parts.database
    calls.countPublishing(organizationId, 1)
    try {
      return await this.#writeJoined(organizationId, work, host)
    } catch (error) {
      calls.countPublishing(organizationId, -1)
      if (!this.parts.database.dialect.isUniqueViolation(error)) throw error
      // Under REPEATABLE READ, an application's transaction does not see what others have committed
      // since it began, so a name was not as free as it seemed. A new transaction sees it.
      throw new ChatError('SERVICE_UNAVAILABLE', { cause: error })
    }
  }

  async #writeJoined<Result>(
    organizationId: number,
    work: (tx: Transaction) => Promise<Result>,
    host: Knex.Transaction,
  ): Promise<Result> {
    const { dialect, tablePrefix } = this.parts.database
    const tx = new Transaction(organizationId, host, dialect, tablePrefix)
    await this.parts.writeLock.acquire(tx)
    const result = await work(tx)
    const token = randomToken(12)
    tx.emit(joined({ token }))
    const records = await this.parts.log.append([tx], host, dialect)
    const { joined: calls } = this.parts.database
    calls.noteEvents(
      host,
      organizationId,
      tx.events.map(({ kind }) => kind),
    )
    calls.outside(() => {
      const seq = records.get(organizationId)?.at(-1)?.seq ?? 0
      const published = this.#onCommit({ organizationId, seq, token }, host, () =>
        this.parts.publish(records, [tx]),
      )
        .catch((error: unknown) => {
          // The events are in the log nevertheless; processes that poll it find them.
          this.parts.logger.warn("Following the application's transaction failed", { err: error })
        })
        .finally(() => calls.countPublishing(organizationId, -1))
      this.parts.untilDone(published)
    })
    return result
  }

  async #onCommit(write: JoinedWrite, host: Knex.Transaction, publish: () => void): Promise<void> {
    const { joined: calls } = this.parts.database
    const outer = outermost(host)
    if (calls.isOfExecutor(outer)) {
      await calls.followed.follow(write, outer, (isCommitted) => {
        if (isCommitted) publish()
      })
      return
    }
    try {
      await outer.executionPromise
    } catch {
      // The application itself gets the rollback; the events are rolled back with their rows.
      return
    }
    // Knex resolves for some rollbacks too, so the log itself is read.
    if (await calls.followed.isCommitted(write)) publish()
  }
}
