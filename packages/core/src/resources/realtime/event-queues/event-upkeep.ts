import { inject } from 'tsyringe'

import { EventDelivery } from '../../../events/delivery.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../../storage/index.js'
import { eachOrganization, OrganizationRepository } from '../../organization/organizations/index.js'
import { ParkedEventRepository } from '../consumers/index.js'
import { EventLogRepository } from './event-log-repository.js'
import { EventQueueRepository } from './event-queue-repository.js'
import { lifespanSeconds } from './queue-lifespan.js'
import { QueueRemoval } from './queue-removal.js'

const idlePerSweep = 200
const rowsPerDelete = 1000
const sweepsPerAudienceSweep = 60
const unusedAudienceSeconds = 8 * 24 * 60 * 60
/** Entries are kept at least this long, and as long as the longest idle timeout of a live queue. */
const minRetentionSeconds = 15 * 60
/** Entries that a consumer has not handled are kept at most this long. */
const unhandledSeconds = 7 * 24 * 60 * 60
/** More than a queue may outlive its idle timeout; see {@link lifespanSeconds}. */
const retentionMarginSeconds = 3 * 60

/** Removes idle queues, and the log entries that no queue can request any more. */
@perServer()
export class EventUpkeep implements BackgroundWork {
  readonly name = 'Event upkeep'
  readonly intervalMilliseconds = 60_000
  #sweeps = 0

  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(EventLogRepository) private readonly log: EventLogRepository,
    @inject(ParkedEventRepository) private readonly parkedEvents: ParkedEventRepository,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(QueueRemoval) private readonly removal: QueueRemoval,
    @inject(Database) private readonly database: Database,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async round(round: Round): Promise<void> {
    await eachOrganization(this.organizations, round, async (id) => {
      await this.#removeIdleQueues(id)
      await this.#prune(id, round.stopping)
      if (this.#sweeps % sweepsPerAudienceSweep === 0) await this.#removeUnusedAudiences(id)
    })
    this.#sweeps += 1
  }

  async #removeIdleQueues(organizationId: number): Promise<void> {
    if ((await this.#listUnused(this.database.read(organizationId))).length === 0) return
    await this.unitOfWork.run(organizationId, async (tx) => {
      // Another process may be removing the same queues: each of them must end once.
      const unused = await this.queues.lockMany(tx, await this.#listUnused(tx))
      if (unused.length === 0) return
      await this.removal.remove(tx, unused)
    })
  }

  async #listUnused(scope: OrganizationScope): Promise<string[]> {
    const now = nowSeconds(this.clock)
    const idle = await this.queues.listIdle(scope, now, idlePerSweep)
    return idle
      .filter(({ id, idleTimeoutSeconds, lastSeenAtSeconds }) => {
        const lifespan = lifespanSeconds(idleTimeoutSeconds, this.facts.heartbeatSeconds)
        const live = this.delivery.find(id)
        // A queue with a client that waits here is in use, whatever its row contains; a use that is
        // being written also counts.
        if (live?.consumer !== undefined) return false
        const savedAtSeconds = Math.floor((live?.savedAtMilliseconds ?? 0) / 1000)
        return now - Math.max(lastSeenAtSeconds, savedAtSeconds) >= lifespan
      })
      .map(({ id }) => id)
  }

  async #prune(organizationId: number, stopping: AbortSignal): Promise<void> {
    const scope = this.database.read(organizationId)
    const longest = await this.queues.longestIdleTimeout(scope)
    const keepSeconds = Math.max(minRetentionSeconds, longest + retentionMarginSeconds)
    const now = nowSeconds(this.clock)
    const retention = {
      beforeSeconds: now - keepSeconds,
      handledSeq: await this.parkedEvents.handledSeq(scope),
      unhandledBeforeSeconds: now - Math.max(keepSeconds, unhandledSeconds),
    }
    while (!stopping.aborted && (await this.log.hasOld(scope, retention))) {
      await this.unitOfWork.run(organizationId, async (tx) => {
        await this.log.deleteOld(tx, retention, rowsPerDelete)
        if (retention.handledSeq !== undefined) await this.parkedEvents.forgetDeleted(tx)
      })
    }
  }

  async #removeUnusedAudiences(organizationId: number): Promise<void> {
    const before = nowSeconds(this.clock) - unusedAudienceSeconds
    await this.unitOfWork.run(organizationId, (tx) =>
      this.log.deleteUnusedAudiences(tx, before, rowsPerDelete),
    )
  }
}
