import type { Clock, Timer } from './clock.js'

/** Does something again and again in the background, one round at a time. */
export class PeriodicTask {
  #timer: Timer | undefined
  /** The rounds under way, if there are any. */
  #running: Promise<void> | undefined
  #isWoken = false
  #isStopped = false

  /**
   * @param round one round; it should end early once `isStopped` says so.
   * @param failed told of every round that failed; the next one comes all the same.
   */
  constructor(
    private readonly clock: Clock,
    private readonly intervalMilliseconds: number,
    private readonly round: (isStopped: () => boolean) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Begins with a round after one interval. */
  start(): void {
    this.#schedule()
  }

  /** Does a round now; another one right after it, where one is under way. Not before the start. */
  wake(): void {
    this.#isWoken = true
    if (this.#running !== undefined || this.#timer === undefined || this.#isStopped) return
    this.#timer.cancel()
    this.#running = this.#run()
  }

  /** Ends the rounds, and resolves when none is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    await this.#running
  }

  #schedule(): void {
    this.#timer = this.clock.setTimeout(() => {
      this.#running = this.#run()
    }, this.intervalMilliseconds)
  }

  async #run(): Promise<void> {
    let beganAt: number
    do {
      this.#isWoken = false
      beganAt = this.clock.now()
      try {
        await this.round(() => this.#isStopped)
      } catch (error) {
        this.failed(error)
      }
      // A round that took longer than the interval is followed by the next one at once.
    } while (
      !this.#isStopped &&
      (this.#isWoken || this.clock.now() - beganAt >= this.intervalMilliseconds)
    )
    this.#running = undefined
    if (!this.#isStopped) this.#schedule()
  }
}
