import type { Clock, Timer } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import { connectionOf, type EventBus } from './bus.js'

/** Interval of polling while the bus reports the commits of other processes, in milliseconds. */
const connectedPollMilliseconds = 3000

interface LogPollingParts {
  /** Interval of polling without a connected bus, in milliseconds; 0 means never. */
  readonly logPollMilliseconds: number
  /** Applies everything that is committed in the followed logs. */
  readonly read: () => Promise<void>
  readonly bus: EventBus
  readonly clock: Clock
  readonly logger: Logger
}

/** Reads the followed logs at intervals, and on demand if the process was paused meanwhile. */
export class LogPolling {
  #timer: Timer | undefined
  #intervalMilliseconds: number
  #reading: Promise<void> | undefined
  /** When the newest complete reading began. */
  #readAtMilliseconds: number
  #fails = false
  #wasConnected: boolean | undefined
  #isClosed = false

  constructor(private readonly parts: LogPollingParts) {
    this.#intervalMilliseconds = parts.logPollMilliseconds
    this.#readAtMilliseconds = this.#now
  }

  start(): void {
    const { logPollMilliseconds, clock } = this.parts
    if (this.#isClosed || logPollMilliseconds === 0) return
    this.#intervalMilliseconds = this.#isBusConnected()
      ? Math.max(logPollMilliseconds, connectedPollMilliseconds)
      : logPollMilliseconds
    this.#timer = clock.setTimeout(() => void this.#poll(), this.#intervalMilliseconds)
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  /** Whether a complete reading began at most two intervals ago. */
  get isCurrent(): boolean {
    return this.#now - this.#readAtMilliseconds <= 2 * this.#intervalMilliseconds
  }

  /**
   * Resolves after a complete reading that begins after this call.
   *
   * @throws what reading throws, such as that the database is away.
   */
  async becomeCurrent(): Promise<void> {
    // One that has begun before may have been answered before the pause.
    await this.#reading?.catch(() => {})
    await this.#read()
  }

  /** 0 with a clock that does not measure pauses. */
  get #now(): number {
    return this.parts.clock.monotonicMilliseconds?.() ?? 0
  }

  /** Simultaneous callers share a reading. */
  #read(): Promise<void> {
    const startedAtMilliseconds = this.#now
    this.#reading ??= this.parts
      .read()
      .then(() => {
        this.#readAtMilliseconds = startedAtMilliseconds
      })
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }

  async #poll(): Promise<void> {
    try {
      await this.#read()
      this.#fails = false
    } catch (error) {
      // Once per outage, not on every poll.
      if (!this.#fails) this.parts.logger.warn('Polling the event log failed', { err: error })
      this.#fails = true
    }
    this.start()
  }

  /** Whether the bus reports other processes' commits; logs when that changes. */
  #isBusConnected(): boolean {
    const { bus, logger } = this.parts
    const isConnected = connectionOf(bus)
    if (isConnected === undefined) return false
    if (isConnected !== this.#wasConnected) {
      if (!isConnected) {
        logger.warn('The event bus is not connected; the event log is polled instead')
      } else if (this.#wasConnected === false) {
        logger.info('The event bus is connected again')
      }
      this.#wasConnected = isConnected
    }
    return isConnected
  }
}
