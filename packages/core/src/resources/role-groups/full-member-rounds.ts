import { inject } from 'tsyringe'

import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/logger.js'
import { PeriodicTask } from '../../kernel/periodic-task.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../kernel/tokens.js'
import { UnitOfWork } from '../../storage/index.js'
import { OrganizationRepository, OrganizationService } from '../organizations/index.js'
import { FullMembers } from './full-members.js'

/** How late clients may hear of a new full member, therefore. */
const intervalMilliseconds = 60 * 60 * 1000

/** Looks for members whose waiting period is over. */
@perServer()
export class FullMemberRounds {
  readonly #task: PeriodicTask

  constructor(
    @inject(FullMembers) private readonly fullMembers: FullMembers,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(OrganizationService) private readonly states: OrganizationService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) clock: Clock,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#task = new PeriodicTask(
      clock,
      intervalMilliseconds,
      (isStopped) => this.#round(isStopped),
      (error) => logger.warn('Promoting members failed', { error }),
    )
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  async #round(isStopped: () => boolean): Promise<void> {
    for (const { id } of await this.organizations.list(10_000)) {
      if (isStopped()) return
      const { isDeactivated, settings } = await this.states.require(id)
      if (isDeactivated || settings.waiting_period_threshold === 0) continue
      let hasMore = true
      while (hasMore && !isStopped()) {
        hasMore = await this.unitOfWork.run(id, (tx) => this.fullMembers.promote(tx))
      }
    }
  }
}
