import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { PeriodicTask } from '../../kernel/periodic-task.js'

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
  readonly #task: PeriodicTask
  #isStarted = false
  #running: Promise<void> | undefined

  constructor(
    private readonly work: RoundWork,
    /** How often work that nobody has announced is looked for. */
    intervalMilliseconds: number,
    clock: Clock,
    private readonly logger: Logger,
  ) {
    this.#task = new PeriodicTask(
      clock,
      intervalMilliseconds,
      () => this.#look(),
      (error) => logger.warn('Push notifications failed', { error }),
    )
  }

  start(): void {
    this.#isStarted = true
    this.#task.start()
  }

  /** Ends the rounds, and resolves when none is under way. */
  async stop(): Promise<void> {
    this.#isStarted = false
    await this.#task.stop()
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

  async #look(): Promise<void> {
    for (const organizationId of await this.work.listWaiting()) this.wake(organizationId)
    await this.#running
  }
}
