import { inject } from 'tsyringe'

import { nowSeconds, type Clock, type Timer } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../kernel/tokens.js'
import { UnitOfWork } from '../../storage/index.js'
import { EventDelivery } from '../../events/delivery.js'
import { OrganizationRepository } from '../organizations/index.js'
import { EventLogRepository } from './event-log-repository.js'
import { EventQueueRepository } from './event-queue-repository.js'
import { queueRemoved } from './event-queue-service.js'

const intervalMilliseconds = 60_000
const idlePerSweep = 200
const rowsPerDelete = 1000
const unusedAudienceSeconds = 8 * 24 * 60 * 60
/** Entries stay at least this long, and as long as the longest idle timeout of a live queue. */
const minRetentionSeconds = 15 * 60
/** The use of a queue is written down once a minute; entries stay that much longer. */
const retentionMarginSeconds = 3 * 60

/** Removes idle queues, and the log's entries that no queue can ask for any more. */
@perServer()
export class EventUpkeep {
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #stopped = false

  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(EventLogRepository) private readonly log: EventLogRepository,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#schedule()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#running
  }

  /** One round over all organizations. */
  async sweep(): Promise<void> {
    for (const { id } of await this.organizations.list(10_000)) {
      if (this.#stopped) return
      await this.#removeIdleQueues(id)
      await this.#prune(id)
    }
  }

  #schedule(): void {
    if (this.#stopped) return
    this.#timer = this.clock.setTimeout(() => {
      this.#running = this.sweep()
        .catch((error: unknown) => this.logger.warn('Event upkeep failed', { error }))
        .finally(() => this.#schedule())
    }, intervalMilliseconds)
  }

  async #removeIdleQueues(organizationId: number): Promise<void> {
    const now = nowSeconds(this.clock)
    await this.unitOfWork.run(organizationId, async (tx) => {
      const idle = await this.queues.listIdle(tx, now, idlePerSweep)
      // A client that waits here uses its queue, whatever the row says.
      const unused = idle.filter((id) => this.delivery.find(id)?.consumer === undefined)
      for (const id of unused) tx.emit({ kind: queueRemoved, data: { id }, audience: {} })
      await this.queues.deleteMany(tx, unused)
    })
  }

  async #prune(organizationId: number): Promise<void> {
    const now = nowSeconds(this.clock)
    let deleted: number
    do {
      deleted = await this.unitOfWork.run(organizationId, async (tx) => {
        const longest = await this.queues.longestIdleTimeout(tx)
        const keepSeconds = Math.max(minRetentionSeconds, longest + retentionMarginSeconds)
        return this.log.deleteBefore(tx, now - keepSeconds, rowsPerDelete)
      })
    } while (deleted === rowsPerDelete && !this.#stopped)
    await this.unitOfWork.run(organizationId, (tx) =>
      this.log.deleteUnusedAudiences(tx, now - unusedAudienceSeconds, rowsPerDelete),
    )
  }
}
