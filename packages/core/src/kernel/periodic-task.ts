import type { Clock, Timer } from './clock.js'
import type { Logger } from './logger.js'

/** One round of something that is done in the background. */
export interface Round {
  /** Whether it is time for one; otherwise somebody has said that there is something to do. */
  readonly isDue: boolean
  /** Aborted when the server closes; the round should end early then. */
  readonly stopping: AbortSignal
  /** Logs what went wrong, where the rest goes on. */
  readonly failed: (error: unknown) => void
}

/** What goes on while the server runs, whether or not there are requests. */
export interface BackgroundWork {
  /** Names it in the log line of a failure. */
  readonly name: string
  /** From the end of a round that was due to the next one. */
  readonly intervalMilliseconds: number
  /** Whether the application does without it. */
  readonly isOff?: boolean
  /** Does one round; where it throws, the next one comes all the same. */
  round(round: Round): Promise<void>
  /** Ends, after the last round, what is left of it. */
  end?(): Promise<void>
}

/** Does something again and again in the background, one round at a time. */
export class PeriodicTask {
  readonly #stopping = new AbortController()
  #timer: Timer | undefined
  /** The rounds under way, if there are any. */
  #running: Promise<void> | undefined
  #isDue = false
  #isWoken = false

  constructor(
    private readonly work: BackgroundWork,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Begins with a round after one interval. */
  start(): void {
    this.#timer = this.clock.setTimeout(() => {
      this.#isDue = true
      this.#running ??= this.#run()
    }, this.work.intervalMilliseconds)
  }

  /** Does a round now; another one right after it, where one is under way. Not before the start. */
  wake(): void {
    this.#isWoken = true
    if (this.#timer === undefined || this.#stopping.signal.aborted) return
    this.#running ??= this.#run()
  }

  /** Ends the rounds, and resolves when nothing is under way. */
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
      // A round that took longer than the interval is followed by the next one at once.
      if (this.clock.now() - beganAt >= this.work.intervalMilliseconds) this.#isDue = true
      else this.start()
    }
    this.#running = undefined
  }

  readonly #failed = (error: unknown): void => {
    this.logger.warn(`${this.work.name} failed`, { err: error })
  }
}
