import { inject } from 'tsyringe'

import type { Clock } from './clock.js'
import type { Logger } from './logger.js'
import { perServer } from './per-server.js'
import { PeriodicTask, type BackgroundWork } from './periodic-task.js'
import { ClockToken, LoggerToken } from './tokens.js'

/** Lets everything go on that is done in the background. */
@perServer()
export class Background {
  readonly #tasks = new Map<BackgroundWork, PeriodicTask>()

  constructor(
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /** Begins with everything but what is off. */
  start(all: readonly BackgroundWork[]): void {
    for (const work of all) {
      if (work.isOff) continue
      const task = new PeriodicTask(work, this.clock, this.logger)
      this.#tasks.set(work, task)
      task.start()
    }
  }

  /** Says that there is something to do. Means nothing before the start, and where it is off. */
  wake(work: BackgroundWork): void {
    this.#tasks.get(work)?.wake()
  }

  /** Ends everything, and resolves when nothing is under way. */
  async stop(): Promise<void> {
    await Promise.all([...this.#tasks.values()].map((task) => task.stop()))
  }
}
