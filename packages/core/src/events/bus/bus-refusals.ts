import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import type { Telemetry } from '../../kernel/telemetry/telemetry.js'

/**
 * Why a message of the bus was not accepted: it is too long, was not sent by a process of the chat,
 * is not of the form of its kind, or names users of another organization.
 */
export type BusRefusal = 'size' | 'authentication' | 'form' | 'users'

const logIntervalMilliseconds = 60_000

/** Counts the messages of the bus that were not accepted, and logs them once a minute at most. */
export class BusRefusals {
  #unlogged = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly telemetry: Telemetry,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  note(reason: BusRefusal): void {
    this.telemetry.busRefusals.record(1, { 'parley.reason': reason })
    this.#unlogged += 1
    const now = this.clock.now()
    // The clock of the machine may be set back.
    if (Math.abs(now - this.#loggedAt) < logIntervalMilliseconds) return
    this.logger.warn('Messages of the event bus were not accepted', {
      reason,
      messages: this.#unlogged,
    })
    this.#loggedAt = now
    this.#unlogged = 0
  }
}
