import { inject } from 'tsyringe'

import type { Clock } from './clock.js'
import type { Logger } from './logger.js'
import { perServer } from './per-server.js'
import { PeriodicTask, type BackgroundWork } from './periodic-task.js'
import { ClockToken, LoggerToken } from './tokens.js'

/** Runs all background work of a server. */
@perServer()
export class Background {
  readonly #tasks = new Map<BackgroundWork, PeriodicTask>()

  constructor(
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /** Starts all work that is not disabled. */
  start(all: readonly BackgroundWork[]): void {
    for (const work of all) {
      if (work.isOff) continue
      const task = new PeriodicTask(work, this.clock, this.logger)
      this.#tasks.set(work, task)
      task.start()
    }
  }

  /** Triggers a round. Does nothing before the start, or if the work is disabled. */
  wake(work: BackgroundWork): void {
    this.#tasks.get(work)?.wake()
  }

  /** Stops everything, and resolves when no round is running. */
  async stop(): Promise<void> {
    await Promise.all([...this.#tasks.values()].map((task) => task.stop()))
  }
}
