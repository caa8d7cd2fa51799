import type { Clock, Timer } from './clock.js'
import type { Logger } from './logger.js'

/** One round of background work. */
export interface Round {
  /** Whether the interval has passed; otherwise the round was triggered by `wake`. */
  readonly isDue: boolean
  /** Aborted when the server closes; the round should end early then. */
  readonly stopping: AbortSignal
  /** Logs an error without ending the round. */
  readonly failed: (error: unknown) => void
}

/** Work that runs in the background while the server is running. */
export interface BackgroundWork {
  /** Identifies it in the log line of a failure. */
  readonly name: string
  /** Time from the end of a round that was due to the next one. */
  readonly intervalMilliseconds: number
  /** Whether it is disabled by the application's options. */
  readonly isOff?: boolean
  /** Runs one round; if it throws, later rounds still run. */
  round(round: Round): Promise<void>
  /** Cleans up after the last round. */
  end?(): Promise<void>
}

/** Runs background work repeatedly, one round at a time. */
export class PeriodicTask {
  readonly #stopping = new AbortController()
  #timer: Timer | undefined
  /** The running rounds, if any. */
  #running: Promise<void> | undefined
  #isDue = false
  #isWoken = false

  constructor(
    private readonly work: BackgroundWork,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Runs the first round after one interval. */
  start(): void {
    this.#timer = this.clock.setTimeout(() => {
      this.#isDue = true
      this.#running ??= this.#run()
    }, this.work.intervalMilliseconds)
  }

  /** Runs a round now; if one is running, another one follows it. Does nothing before the start. */
  wake(): void {
    this.#isWoken = true
    if (this.#timer === undefined || this.#stopping.signal.aborted) return
    this.#running ??= this.#run()
  }

  /** Stops the rounds, and resolves when none is running. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#timer?.cancel()
    await this.#running
    await this.work.end?.()
  }

  async #run(): Promise<void> {
    const stopping = this.#stopping.signal
    while ((this.#isDue || this.#isWoken) && !stopping.aborted) {
      const isDue = this.#isDue
      this.#isDue = this.#isWoken = false
      const beganAt = this.clock.now()
      try {
        await this.work.round({ isDue, stopping, failed: this.#failed })
      } catch (error) {
        this.#failed(error)
      }
      if (!isDue || stopping.aborted) continue
      // A round that took longer than the interval is followed by the next one immediately.
      if (this.clock.now() - beganAt >= this.work.intervalMilliseconds) this.#isDue = true
      else this.start()
    }
    this.#running = undefined
  }

  readonly #failed = (error: unknown): void => {
    this.logger.warn(`${this.work.name} failed`, { err: error })
  }
}
