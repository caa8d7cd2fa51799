import type { Clock } from '../kernel/clock.js'
import type { Logger } from '../kernel/logger.js'
import { PeriodicTask } from '../kernel/periodic-task.js'
import type { DueReference } from './due-rows.js'

/** How often what is due is looked for; how late it may be done, therefore. */
const intervalMilliseconds = 10_000
const batchSize = 100

export interface DueWork {
  /** Says in log lines what is done. */
  readonly name: string
  /** Knows what is due, the longest due first. */
  readonly rows: { listDue(limit: number): Promise<readonly DueReference[]> }
  /** Does what one row asks for. Afterwards it must not be due any more. */
  deliver(due: DueReference): Promise<void>
}

/** Works off what is due, however late: from time to time, and when somebody knows of something. */
export class DueRounds {
  readonly #task: PeriodicTask
  /** What was begun, perhaps in an earlier round. */
  readonly #underWay = new Set<Promise<void>>()

  /** @param atOnce how many rows may be worked off at the same time. */
  constructor(
    private readonly work: DueWork,
    clock: Clock,
    private readonly logger: Logger,
    private readonly atOnce = 1,
  ) {
    this.#task = new PeriodicTask(
      clock,
      intervalMilliseconds,
      (isStopped) => this.#round(isStopped),
      (error) => this.#report(error),
    )
  }

  start(): void {
    this.#task.start()
  }

  /** Looks for what is due now. */
  wake(): void {
    this.#task.wake()
  }

  /** Ends the rounds, and resolves when nothing is under way. */
  async stop(): Promise<void> {
    await this.#task.stop()
    await Promise.all(this.#underWay)
  }

  async #round(isStopped: () => boolean): Promise<void> {
    let hasFailed = false
    for (;;) {
      const due = await this.work.rows.listDue(batchSize)
      for (const one of due) {
        if (isStopped() || hasFailed) return
        const delivery = this.work
          .deliver(one)
          .catch((error: unknown) => {
            // The next ones would most likely meet the same; they are tried in the next round.
            hasFailed = true
            this.#report(error)
          })
          .finally(() => this.#underWay.delete(delivery))
        this.#underWay.add(delivery)
        if (this.#underWay.size >= this.atOnce) await Promise.race(this.#underWay)
      }
      if (due.length < batchSize) return
    }
  }

  #report(error: unknown): void {
    this.logger.warn(`Failed: ${this.work.name}`, { error })
  }
}
