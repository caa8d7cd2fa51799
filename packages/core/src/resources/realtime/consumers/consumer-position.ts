import type { ApplicationEvents } from '../../../events/application/application-events.js'
import type { LogRecord } from '../../../events/log/log-entry.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { randomToken } from '../../../kernel/random.js'
import type { Telemetry } from '../../../kernel/telemetry/telemetry.js'
import type { ApplicationTransaction, Database } from '../../../storage/index.js'
import type { ResolvedConsumerOptions } from './consumer-options.js'
import type { ConsumerRepository, LogPart } from './consumer-repository.js'
import type { ConsumerCursorRow, ConsumerParkedEventRow, ConsumerRow } from './consumers-table.js'
import type { ParkedEventRepository } from './parked-event-repository.js'

const leaseSeconds = 30
const maxDelaySeconds = 300
const maxErrorLength = 2000

export interface ConsumerParts {
  readonly database: Database
  readonly consumers: ConsumerRepository
  readonly parked: ParkedEventRepository
  readonly events: ApplicationEvents
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly logger: Logger
}

/** A consumer in one organization, as one server handles it. */
export interface ConsumerPlace {
  readonly name: string
  /** Identifies the server that holds the lease. */
  readonly owner: string
  readonly organizationId: number
  readonly options: ResolvedConsumerOptions
}

/** A lease as it is taken or extended. */
export type Lease = Omit<ConsumerRow, 'created_at_seconds' | 'owner'> & { readonly owner: string }

/** The lease of a server from now on. */
export function newLease(
  { name, owner }: Pick<ConsumerPlace, 'name' | 'owner'>,
  nowSeconds: number,
): Lease {
  const leased_until_seconds = nowSeconds + leaseSeconds
  return { name, owner, lease_token: randomToken(12), leased_until_seconds }
}

/** The error of a handler. */
export interface Failure {
  readonly error: unknown
}

/** Thrown by a handler if another attempt is useless: the event is parked at once. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}

/**
 * Stores the outcomes of a consumer's events in one organization: successes move its cursor,
 * failures are counted, parked and logged.
 */
export class ConsumerPosition {
  constructor(
    private readonly parts: ConsumerParts,
    private readonly place: ConsumerPlace,
  ) {}

  /** Passes the entries that were deleted from the log. */
  passDeleted(cursor: ConsumerCursorRow, { floorSeq }: LogPart): void {
    const count = floorSeq - cursor.cursor_seq
    if (count <= 0) return
    cursor.missed += count
    Object.assign(cursor, { cursor_seq: floorSeq, attempts: 0 })
    this.#log('error', 'A consumer has missed entries that were deleted from the log', { count })
  }

  /** Moves the cursor before the next entry. Attempts at an entry that was erased do not count. */
  approach(cursor: ConsumerCursorRow, { seq }: LogRecord): void {
    if (cursor.cursor_seq === seq - 1) return
    Object.assign(cursor, { cursor_seq: seq - 1, attempts: 0 })
  }

  /** Moves the cursor behind an entry that was handled or parked. */
  pass(cursor: ConsumerCursorRow, { seq }: LogRecord): void {
    Object.assign(cursor, { cursor_seq: seq, attempts: 0, due_at_seconds: 0 })
  }

  /** Counts a failed attempt. @returns whether the event was parked. */
  async fail(
    trx: ApplicationTransaction,
    cursor: ConsumerCursorRow,
    { seq, kind }: LogRecord,
    { error }: Failure,
  ): Promise<boolean> {
    cursor.attempts += 1
    const fields = { seq, event: kind, err: error }
    if (this.#mayTryAgain(cursor.attempts, error)) {
      cursor.due_at_seconds = this.nowSeconds + delaySeconds(cursor.attempts)
      this.#log('warn', 'A consumer failed', fields)
      return false
    }
    this.#log('error', 'An event was parked, because its consumer fails', fields)
    await this.parts.parked.insert(trx, {
      consumer: this.place.name,
      organization_id: this.place.organizationId,
      seq,
      attempts: cursor.attempts,
      error: textOf(error),
      parked_at_seconds: this.nowSeconds,
      due_at_seconds: null,
    })
    return true
  }

  /** Stores the outcome of another attempt at a parked event. */
  async settleParked(
    trx: ApplicationTransaction,
    row: ConsumerParkedEventRow,
    failure: Failure | undefined,
  ): Promise<void> {
    if (failure === undefined) {
      await this.parts.parked.delete(trx, row.id)
      return
    }
    const { error } = failure
    const attempts = row.attempts + 1
    this.#log('warn', 'A consumer failed', { seq: row.seq, err: error })
    await this.parts.parked.update(trx, row.id, {
      attempts,
      error: textOf(error),
      due_at_seconds: this.#mayTryAgain(attempts, error)
        ? this.nowSeconds + delaySeconds(attempts)
        : null,
    })
  }

  get nowSeconds(): number {
    return nowSeconds(this.parts.clock)
  }

  #mayTryAgain(attempts: number, error: unknown): boolean {
    return attempts < this.place.options.attempts && !(error instanceof PermanentFailure)
  }

  #log(level: 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>): void {
    const { name: consumer, organizationId } = this.place
    this.parts.logger[level](message, { consumer, organizationId, ...fields })
  }
}

function delaySeconds(attempts: number): number {
  return Math.min(2 ** (attempts - 1), maxDelaySeconds)
}

function textOf(error: unknown): string {
  return String(error).slice(0, maxErrorLength)
}
