import type { Clock, Timer } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'

/** What is done in rounds. */
export interface RoundWork {
  /** The organizations in which something waits. */
  listWaiting(): Promise<readonly number[]>
  /** Does all that waits in one organization. */
  run(organizationId: number): Promise<void>
}

/** Does work in the background: as soon as it is announced, and from time to time. */
export class PushRounds {
  readonly #awake = new Set<number>()
  #timer: Timer | undefined
  #isStarted = false
  #running: Promise<void> | undefined
  #looking: Promise<void> | undefined

  constructor(
    private readonly work: RoundWork,
    /** How often work that nobody has announced is looked for. */
    private readonly intervalMilliseconds: number,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#isStarted = true
    this.#schedule()
  }

  /** Ends the rounds, and resolves when none is under way. */
  async stop(): Promise<void> {
    this.#isStarted = false
    this.#timer?.cancel()
    await this.#looking
    await this.#running
  }

  /** Says that something waits in the organization. */
  wake(organizationId: number): void {
    this.#awake.add(organizationId)
    if (this.#isStarted) this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    for (const organizationId of this.#awake) {
      this.#awake.delete(organizationId)
      try {
        if (this.#isStarted) await this.work.run(organizationId)
      } catch (error) {
        this.logger.warn('Push notifications failed', { error })
      }
    }
    this.#running = undefined
  }

  #schedule(): void {
    this.#timer = this.clock.setTimeout(() => {
      this.#looking = this.#look()
    }, this.intervalMilliseconds)
  }

  async #look(): Promise<void> {
    try {
      for (const organizationId of await this.work.listWaiting()) this.wake(organizationId)
    } catch (error) {
      this.logger.warn('Push notifications failed', { error })
    }
    await this.#running
    if (this.#isStarted) this.#schedule()
  }
}
