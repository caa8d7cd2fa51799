import { inject } from 'tsyringe'

import type { LiveQueue } from '../../../events/queues/live-queue.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import type { BackgroundWork } from '../../../kernel/periodic-task.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { UnitOfWork } from '../../../storage/index.js'
import { EventQueueRepository } from './event-queue-repository.js'

const queuesPerStatement = 100

/** Writes the last uses of queues to their rows: once a second, for all organizations together. */
@perServer()
export class QueueUses implements BackgroundWork {
  readonly name = 'Noting the uses of queues'
  readonly intervalMilliseconds = 1000
  #due = new Map<LiveQueue, number>()

  constructor(
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  note(live: LiveQueue, seenAtSeconds: number): void {
    this.#due.set(live, seenAtSeconds)
  }

  async round(): Promise<void> {
    if (this.#due.size === 0) return
    const noted = this.#due
    this.#due = new Map()
    try {
      for (const chunk of chunksOf([...noted], queuesPerStatement)) {
        const uses = chunk.map(([{ queue, use }, seenAtSeconds]) => ({
          id: queue.id,
          seenAtSeconds,
          use,
        }))
        await this.unitOfWork.run(0, (tx) => this.queues.updateUses(tx, uses), {
          skipWriteLock: true,
        })
      }
    } catch (error) {
      this.#due = new Map([...noted, ...this.#due])
      throw error
    }
  }

  async end(): Promise<void> {
    try {
      await this.round()
    } catch (error) {
      this.logger.warn(`${this.name} failed`, { err: error })
    }
  }
}
