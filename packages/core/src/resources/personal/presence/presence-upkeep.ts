import { inject } from 'tsyringe'

import type { Logger } from '../../../kernel/logger.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { PresenceMemory } from './presence-memory.js'

/** Each takes a connection to the database. */
const simultaneousOrganizations = 5

/** Stores changes in the memory of presences, and reads the changes of other processes. */
@perServer()
export class PresenceUpkeep implements BackgroundWork {
  readonly name = 'Storing presences'
  readonly intervalMilliseconds = 5000

  constructor(
    @inject(PresenceMemory) private readonly memory: PresenceMemory,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  async round({ isDue, failed }: Round): Promise<void> {
    await this.#store(failed)
    if (!isDue) return
    await this.memory.refresh()
    this.memory.forgetUnused()
  }

  async end(): Promise<void> {
    await this.#store((error) => this.logger.warn(`${this.name} failed`, { err: error }))
  }

  async #store(failed: (error: unknown) => void): Promise<void> {
    const waiting = this.memory.changedIds
    const storeNext = async (): Promise<void> => {
      try {
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          await this.memory.exchange(id)
        }
      } catch (error) {
        // The others are tried in the next round: the database is probably not available.
        failed(error)
      }
    }
    await Promise.all(Array.from({ length: simultaneousOrganizations }, storeNext))
  }
}
