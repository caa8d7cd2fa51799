import type { ApplicationTransaction } from '../../../storage/index.js'
import { callHandler, type BatchOutcome, type ConsumerHandler } from './consumer-batch.js'
import {
  ConsumerPosition,
  newLease,
  type ConsumerParts,
  type ConsumerPlace,
  type Failure,
} from './consumer-position.js'
import { traceEntry } from './traced-entries.js'
import type { StoredRecord } from './consumer-repository.js'
import type { ConsumerCursorRow, ConsumerParkedEventRow } from './consumers-table.js'

/** Events in one turn, after which other organizations get theirs. */
const maxEvents = 20

/** An event to handle, and the row of it if it is a parked one. */
interface Task {
  readonly record: StoredRecord
  readonly attempt: number
  readonly parked: ConsumerParkedEventRow | undefined
}

interface Handled extends Task {
  readonly failure: Failure | undefined
}

/**
 * Handles events of one organization one by one, while no transaction is open. A short transaction
 * before each of them stores the outcome of the one before, if the lease is still held, and reads
 * the next: so texts that were deleted meanwhile are not in memory, and after a crash at most one
 * event is repeated.
 */
export class SeparateBatch {
  readonly #position: ConsumerPosition

  constructor(
    private readonly parts: ConsumerParts,
    private readonly place: ConsumerPlace,
    private readonly handler: ConsumerHandler,
    /** Aborted when the consumer stops or has lost its lease. */
    private readonly ending: AbortSignal,
  ) {
    this.#position = new ConsumerPosition(parts, place)
  }

  async run(): Promise<BatchOutcome> {
    let next = await this.#step(undefined, true)
    for (let count = 1; typeof next !== 'string'; count += 1) {
      if (this.ending.aborted) return 'done'
      const failure = await this.#handle(next)
      // A handler that was interrupted has not failed; the event comes again.
      if (failure !== undefined && this.ending.aborted) return 'done'
      next = await this.#step({ ...next, failure }, count < maxEvents)
    }
    return next
  }

  /** Stores the outcome of an event. @returns the next one, or why there is none. */
  async #step(handled: Handled | undefined, continues: boolean): Promise<Task | BatchOutcome> {
    const { consumers, database } = this.parts
    const { name, organizationId } = this.place
    return database.transaction(async (trx) => {
      const { nowSeconds } = this.#position
      const lease = newLease(this.place, nowSeconds)
      const holdsLease =
        handled === undefined
          ? await consumers.lease(trx, lease, nowSeconds)
          : await consumers.extendLease(trx, lease)
      if (!holdsLease) return 'lost'
      const cursor = await consumers.findOrAddCursor(trx, name, organizationId)
      if (handled !== undefined) await this.#settle(trx, cursor, handled)
      const goesOn = continues && !this.ending.aborted
      const next = goesOn ? await this.#next(trx, cursor) : 'more'
      await consumers.saveCursor(trx, cursor)
      return next
    })
  }

  async #settle(
    trx: ApplicationTransaction,
    cursor: ConsumerCursorRow,
    { record, parked, failure }: Handled,
  ): Promise<void> {
    if (parked !== undefined) {
      await this.#position.settleParked(trx, parked, failure)
    } else if (failure === undefined || (await this.#position.fail(trx, cursor, record, failure))) {
      this.#position.pass(cursor, record)
    }
  }

  async #next(
    trx: ApplicationTransaction,
    cursor: ConsumerCursorRow,
  ): Promise<Task | BatchOutcome> {
    const parked = await this.#nextParked(trx)
    if (parked !== undefined) return parked
    if (cursor.due_at_seconds > this.#position.nowSeconds) return 'done'
    const before = cursor.cursor_seq
    const part = await this.parts.consumers.read(trx, cursor, this.place.options.kinds, 1)
    this.#position.passDeleted(cursor, part)
    const [record] = part.records
    if (record !== undefined) {
      this.#position.approach(cursor, record)
      return { record, attempt: cursor.attempts + 1, parked: undefined }
    }
    cursor.cursor_seq = part.upToSeq
    return part.upToSeq > before ? 'more' : 'done'
  }

  async #nextParked(trx: ApplicationTransaction): Promise<Task | undefined> {
    const { parked, consumers } = this.parts
    const { name, organizationId } = this.place
    for (;;) {
      const [row] = await parked.listDue(trx, name, organizationId, this.#position.nowSeconds, 1)
      if (row === undefined) return undefined
      const record = await consumers.readOne(trx, organizationId, row.seq)
      if (record !== undefined) return { record, attempt: row.attempts + 1, parked: row }
      await parked.delete(trx, row.id)
    }
  }

  async #handle({ record, attempt }: Task): Promise<Failure | undefined> {
    const { organizationId, options } = this.place
    const events = await this.parts.events.view(organizationId, record, options.types)
    try {
      const facts = { attempt, signal: this.ending }
      await traceEntry(this.parts.telemetry, this.place.name, record, attempt, () =>
        callHandler(this.handler, events, record, facts),
      )
      return undefined
    } catch (error) {
      return { error }
    }
  }
}
