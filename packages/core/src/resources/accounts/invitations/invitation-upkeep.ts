import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { eachOrganization, OrganizationRepository } from '../../organization/organizations/index.js'
import { InvitationRepository } from './invitation-repository.js'
import { invitations } from './invitations-table.js'

/** How long an invitation is kept after it has ended or expired. */
const keptSeconds = 7 * 86_400
const rowsPerDelete = 500

/** Deletes invitations that ended or expired a week ago. */
@perServer()
export class InvitationUpkeep implements BackgroundWork {
  readonly name = 'Deleting old invitations'
  readonly intervalMilliseconds = 45 * 60 * 1000

  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(InvitationRepository) private readonly invitations: InvitationRepository,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async round(round: Round): Promise<void> {
    const before = nowSeconds(this.clock) - keptSeconds
    await eachOrganization(this.organizations, round, async (id) => {
      const scope = this.database.read(id)
      while (!round.stopping.aborted) {
        const old = await this.invitations.listOldIds(scope, before, rowsPerDelete)
        if (old.length === 0) return
        await this.unitOfWork.run(id, (tx) => tx.rows(invitations).delete({ id: old }))
      }
    })
  }
}
