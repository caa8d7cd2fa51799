import { inject } from 'tsyringe'

import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import {
  eachOrganization,
  OrganizationRepository,
  OrganizationService,
} from '../../organization/organizations/index.js'
import { FullMembers } from './full-members.js'

/** Checks for members whose waiting period has ended. */
@perServer()
export class FullMemberRounds implements BackgroundWork {
  readonly name = 'Promoting members'
  /** The maximum delay of the events about a new full member. */
  readonly intervalMilliseconds = 60 * 60 * 1000

  constructor(
    @inject(FullMembers) private readonly fullMembers: FullMembers,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(OrganizationService) private readonly states: OrganizationService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async round(round: Round): Promise<void> {
    await eachOrganization(this.organizations, round, async (id) => {
      const { isDeactivated, settings } = await this.states.require(id)
      if (isDeactivated || settings.waiting_period_threshold === 0) return
      let hasMore = true
      while (hasMore && !round.stopping.aborted) {
        hasMore = await this.unitOfWork.run(id, (tx) => this.fullMembers.promote(tx))
      }
    })
  }
}
