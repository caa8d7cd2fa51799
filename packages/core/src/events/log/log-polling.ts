import type { Clock, Timer } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { connectionOf, type EventBus } from '../bus/bus.js'

/** Interval of polling while the bus reports the commits of other processes, in milliseconds. */
const connectedPollMilliseconds = 3000

interface LogPollingParts {
  /** Interval of polling without a connected bus, in milliseconds; 0 means never. */
  readonly logPollMilliseconds: number
  /** Applies everything that is committed in the followed logs. */
  readonly read: () => Promise<void>
  readonly bus: Pick<EventBus, 'isConnected'>
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
  /** When the process is known to have been running. */
  #runningAtMilliseconds: number
  /** Ticks since the last poll. */
  #ticks = 0
  #fails = false
  #wasConnected: boolean | undefined
  #isClosed = false

  constructor(private readonly parts: LogPollingParts) {
    this.#intervalMilliseconds = parts.logPollMilliseconds
    this.#readAtMilliseconds = this.#now
    this.#runningAtMilliseconds = this.#now
  }

  start(): void {
    const { logPollMilliseconds, clock } = this.parts
    if (this.#isClosed || logPollMilliseconds === 0) return
    this.#runningAtMilliseconds = this.#now
    this.#timer = clock.setTimeout(() => void this.#tick(), logPollMilliseconds)
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  /** Whether a complete reading began at most two intervals ago, and the process was not paused since. */
  get isCurrent(): boolean {
    const { logPollMilliseconds } = this.parts
    // There are no other processes.
    if (logPollMilliseconds === 0) return true
    const now = this.#now
    return (
      now - this.#readAtMilliseconds <= 2 * this.#intervalMilliseconds &&
      now - this.#runningAtMilliseconds <= 2 * logPollMilliseconds
    )
  }

  /**
   * Resolves after a complete reading that begins after this call.
   *
   * @throws the errors of reading, such as that the database is away.
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
        this.#runningAtMilliseconds = this.#now
      })
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }

  async #tick(): Promise<void> {
    const { logPollMilliseconds } = this.parts
    this.#intervalMilliseconds = this.#isBusConnected()
      ? Math.max(logPollMilliseconds, connectedPollMilliseconds)
      : logPollMilliseconds
    this.#ticks += 1
    const isDue = this.#ticks * logPollMilliseconds >= this.#intervalMilliseconds
    if (isDue || !this.isCurrent) {
      this.#ticks = 0
      await this.#poll()
    }
    this.start()
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
