import type { AnyChatEvent, NamedEvent } from '../../../events/application/application-events.js'
import type { ApplicationTransaction } from '../../../storage/index.js'
import type { EventContext } from './consumer-options.js'
import {
  ConsumerPosition,
  newLease,
  type ConsumerParts,
  type ConsumerPlace,
  type Failure,
} from './consumer-position.js'
import type { StoredRecord } from './consumer-repository.js'
import type { ConsumerCursorRow } from './consumers-table.js'
import { traceEntry } from './traced-entries.js'

/** Handles one event; it throws to have it retried. */
export type ConsumerHandler = (
  event: AnyChatEvent,
  context: EventContext & { readonly trx?: ApplicationTransaction },
) => unknown

/** The result of a batch: another server has the lease, nothing is due, or there may be more. */
export type BatchOutcome = 'lost' | 'done' | 'more'

/** The transaction was rolled back as a whole, with events that had succeeded. */
class RolledBackError extends Error {
  constructor(options: ErrorOptions) {
    super('The transaction of a consumer was rolled back', options)
  }
}

/** Handles events of one organization and moves the cursor, in one transaction. */
export class ConsumerBatch {
  readonly #position: ConsumerPosition
  #leaseToken = ''

  constructor(
    private readonly parts: ConsumerParts,
    private readonly place: ConsumerPlace,
    private readonly handler: ConsumerHandler,
    private readonly stopping: AbortSignal,
  ) {
    this.#position = new ConsumerPosition(parts, place)
  }

  /** @throws {RolledBackError} if nothing of the batch is stored. */
  async run(): Promise<BatchOutcome> {
    const { consumers, database } = this.parts
    const { name, organizationId } = this.place
    return database.transaction(async (trx) => {
      const { nowSeconds } = this.#position
      const lease = newLease(this.place, nowSeconds)
      this.#leaseToken = lease.lease_token
      if (!(await consumers.lease(trx, lease, nowSeconds))) return 'lost'
      const cursor = await consumers.findOrAddCursor(trx, name, organizationId)
      const hasParked = await this.#retryParked(trx)
      if (cursor.due_at_seconds > this.#position.nowSeconds) return hasParked ? 'more' : 'done'
      return (await this.#continue(trx, cursor)) || hasParked ? 'more' : 'done'
    })
  }

  /** @returns whether there may be more entries. */
  async #continue(trx: ApplicationTransaction, cursor: ConsumerCursorRow): Promise<boolean> {
    const { kinds, batch } = this.place.options
    const part = await this.parts.consumers.read(trx, cursor, kinds, batch)
    const next = { ...cursor }
    this.#position.passDeleted(next, part)
    for (const record of part.records) {
      if (this.stopping.aborted) break
      this.#position.approach(next, record)
      const failure = await this.#handle(trx, record, next.attempts + 1)
      if (failure !== undefined && !(await this.#position.fail(trx, next, record, failure))) {
        await this.parts.consumers.saveCursor(trx, next)
        return false
      }
      this.#position.pass(next, record)
    }
    if (!this.stopping.aborted) next.cursor_seq = part.upToSeq
    await this.parts.consumers.saveCursor(trx, next)
    return part.records.length === batch || part.upToSeq > cursor.cursor_seq
  }

  /** Tries parked events that are due again. @returns whether there were any. */
  async #retryParked(trx: ApplicationTransaction): Promise<boolean> {
    const { parked, consumers } = this.parts
    const { name, organizationId, options } = this.place
    const { nowSeconds } = this.#position
    const due = await parked.listDue(trx, name, organizationId, nowSeconds, options.batch)
    for (const row of due) {
      if (this.stopping.aborted) break
      const record = await consumers.readOne(trx, organizationId, row.seq)
      const failure =
        record === undefined ? undefined : await this.#handle(trx, record, row.attempts + 1)
      await this.#position.settleParked(trx, row, failure)
    }
    return due.length > 0
  }

  /** Calls the handler in a savepoint. @returns its error, if the rest of the batch is intact. */
  async #handle(
    trx: ApplicationTransaction,
    record: StoredRecord,
    attempt: number,
  ): Promise<Failure | undefined> {
    const { organizationId, options } = this.place
    const events = await this.parts.events.view(organizationId, record, options.types)
    if (events.length === 0) return undefined
    try {
      await trx.transaction(async (inner) => {
        const facts = { attempt, signal: this.stopping }
        await traceEntry(this.parts.telemetry, this.place.name, record, attempt, () =>
          callHandler(this.handler, events, record, facts, inner),
        )
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
      return await this.parts.consumers.isIntact(trx, this.place.name, this.#leaseToken)
    } catch {
      return false
    }
  }
}

/** Calls the handler for the events of one entry of the log, in their order. */
export async function callHandler(
  handler: ConsumerHandler,
  events: readonly NamedEvent[],
  { organizationId, seq, createdAtSeconds }: StoredRecord,
  facts: Pick<EventContext, 'attempt' | 'signal'>,
  trx?: ApplicationTransaction,
): Promise<void> {
  for (const { name, place, event } of events) {
    const id = `${organizationId}-${seq}-${place}`
    const context = { id, name, organizationId, seq, createdAtSeconds, ...facts }
    await handler(event, trx === undefined ? context : { ...context, trx })
  }
}
