import type { AnyChatEvent, ApplicationEvents } from '../../../events/application-events.js'
import type { LogRecord } from '../../../events/log-entry.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { randomToken } from '../../../kernel/random.js'
import type { ApplicationTransaction, Database } from '../../../storage/index.js'
import type { ConsumerContext, ResolvedConsumerOptions } from './consumer-options.js'
import type { ConsumerRepository } from './consumer-repository.js'
import type { ConsumerCursorRow } from './consumer-rows.js'
import type { ParkedEventRepository } from './parked-event-repository.js'

export const leaseSeconds = 30
const maxDelaySeconds = 300
const maxErrorLength = 2000

/** Handles one event; it throws to have it retried. */
export type ConsumerHandler = (
  event: AnyChatEvent,
  context: ConsumerContext<ApplicationTransaction>,
) => unknown

export interface ConsumerParts {
  readonly database: Database
  readonly consumers: ConsumerRepository
  readonly parked: ParkedEventRepository
  readonly events: ApplicationEvents
  readonly clock: Clock
  readonly logger: Logger
}

/** What to do after a batch: another server has the lease, nothing is due, or there may be more. */
export type BatchOutcome = 'lost' | 'done' | 'more'

/** The transaction was rolled back as a whole, with events that had succeeded. */
class RolledBackError extends Error {
  constructor(options: ErrorOptions) {
    super('The transaction of a consumer was rolled back', options)
  }
}

/** Handles events of one organization and moves the cursor, in one transaction. */
export class ConsumerBatch {
  readonly #leaseToken = randomToken(12)

  constructor(
    private readonly parts: ConsumerParts,
    private readonly name: string,
    private readonly owner: string,
    private readonly organizationId: number,
    private readonly options: ResolvedConsumerOptions,
    private readonly handler: ConsumerHandler,
    private readonly stopping: AbortSignal,
  ) {}

  /** @throws {RolledBackError} if nothing of the batch is stored. */
  async run(): Promise<BatchOutcome> {
    return this.parts.database.transaction(async (trx) => {
      if (!(await this.#lease(trx))) return 'lost'
      const { consumers } = this.parts
      const cursor = await consumers.findOrAddCursor(trx, this.name, this.organizationId)
      const hasParked = await this.#retryParked(trx)
      if (cursor.due_at_seconds > this.#now) return hasParked ? 'more' : 'done'
      return (await this.#continue(trx, cursor)) || hasParked ? 'more' : 'done'
    })
  }

  async #lease(trx: ApplicationTransaction): Promise<boolean> {
    const lease = {
      name: this.name,
      owner: this.owner,
      lease_token: this.#leaseToken,
      leased_until_seconds: this.#now + leaseSeconds,
    }
    return this.parts.consumers.lease(trx, lease, this.#now)
  }

  /** @returns whether there may be more entries. */
  async #continue(trx: ApplicationTransaction, cursor: ConsumerCursorRow): Promise<boolean> {
    const { types, batch } = this.options
    const part = await this.parts.consumers.read(trx, cursor, types, batch)
    const next = { ...cursor }
    if (part.floorSeq > cursor.cursor_seq) {
      next.missed += part.floorSeq - cursor.cursor_seq
      next.cursor_seq = part.floorSeq
      this.#log('error', 'A consumer has missed entries that were deleted from the log', {
        count: part.floorSeq - cursor.cursor_seq,
      })
    }
    for (const record of part.records) {
      if (this.stopping.aborted) break
      const failure = await this.#handle(trx, record, next.attempts + 1)
      if (failure !== undefined && !(await this.#fail(trx, next, record, failure.error))) {
        await this.parts.consumers.saveCursor(trx, next)
        return false
      }
      Object.assign(next, { cursor_seq: record.seq, attempts: 0, due_at_seconds: 0 })
    }
    if (!this.stopping.aborted) next.cursor_seq = part.upToSeq
    await this.parts.consumers.saveCursor(trx, next)
    return part.records.length === batch || part.upToSeq > cursor.cursor_seq
  }

  /** Counts a failed attempt. @returns whether the event was parked. */
  async #fail(
    trx: ApplicationTransaction,
    cursor: ConsumerCursorRow,
    { seq, kind }: LogRecord,
    error: unknown,
  ): Promise<boolean> {
    cursor.attempts += 1
    // Entries before it are of no interest.
    cursor.cursor_seq = seq - 1
    if (cursor.attempts < this.options.attempts) {
      cursor.due_at_seconds = this.#now + delaySeconds(cursor.attempts)
      this.#log('warn', 'A consumer failed', { seq, event: kind, err: error })
      return false
    }
    this.#log('error', 'An event was parked, because its consumer fails', {
      seq,
      event: kind,
      err: error,
    })
    await this.parts.parked.insert(trx, {
      consumer: this.name,
      organization_id: this.organizationId,
      seq,
      attempts: cursor.attempts,
      error: textOf(error),
      parked_at_seconds: this.#now,
      due_at_seconds: null,
    })
    return true
  }

  /** Tries parked events that are due again. @returns whether there were any. */
  async #retryParked(trx: ApplicationTransaction): Promise<boolean> {
    const { parked, consumers } = this.parts
    const { batch, attempts } = this.options
    const due = await parked.listDue(trx, this.name, this.organizationId, this.#now, batch)
    for (const row of due) {
      if (this.stopping.aborted) break
      const record = await consumers.readOne(trx, this.organizationId, row.seq)
      const failure =
        record === undefined ? undefined : await this.#handle(trx, record, row.attempts + 1)
      if (failure === undefined) {
        await parked.delete(trx, row.id)
        continue
      }
      const tried = row.attempts + 1
      this.#log('warn', 'A consumer failed', { seq: row.seq, err: failure.error })
      await parked.update(trx, row.id, {
        attempts: tried,
        error: textOf(failure.error),
        due_at_seconds: tried < attempts ? this.#now + delaySeconds(tried) : null,
      })
    }
    return due.length > 0
  }

  /** Calls the handler in a savepoint. @returns its error, if the rest of the batch is intact. */
  async #handle(
    trx: ApplicationTransaction,
    record: LogRecord,
    attempt: number,
  ): Promise<{ readonly error: unknown } | undefined> {
    const { organizationId } = this
    const events = await this.parts.events.view(organizationId, record)
    if (events.length === 0) return undefined
    try {
      await trx.transaction(async (inner) => {
        for (const event of events) {
          await this.handler(event, { trx: inner, organizationId, seq: record.seq, attempt })
        }
      })
      return undefined
    } catch (error) {
      // After a deadlock the database has rolled back everything, and forgotten the transaction.
      if (!(await this.#isIntact(trx))) throw new RolledBackError({ cause: error })
      return { error }
    }
  }

  async #isIntact(trx: ApplicationTransaction): Promise<boolean> {
    try {
      return await this.parts.consumers.isIntact(trx, this.name, this.#leaseToken)
    } catch {
      return false
    }
  }

  #log(level: 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>): void {
    const { name: consumer, organizationId } = this
    this.parts.logger[level](message, { consumer, organizationId, ...fields })
  }

  get #now(): number {
    return nowSeconds(this.parts.clock)
  }
}

function delaySeconds(attempts: number): number {
  return Math.min(2 ** (attempts - 1), maxDelaySeconds)
}

function textOf(error: unknown): string {
  return String(error).slice(0, maxErrorLength)
}
