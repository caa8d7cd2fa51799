import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { OrganizationRepository } from './organization-repository.js'
import { ActiveUserRepository } from './active-user-repository.js'

/** The audiences of events that concern the whole organization. */
@perServer()
export class ActiveUsers {
  constructor(
    @inject(ActiveUserRepository) private readonly users: ActiveUserRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The interned list of all active users, including guests and bots. */
  async audience(tx: Transaction): Promise<number> {
    const known = await this.organizations.activeAudienceId(tx)
    if (known !== null) return known
    const id = await this.unitOfWork.audiences.intern(tx, await this.users.listIds(tx))
    await this.organizations.setActiveAudienceId(tx, id)
    return id
  }

  /**
   * The interned list of all active users except guests: those who may read every public channel.
   *
   * @param known the id that the organization's row holds, if the caller has already read it.
   */
  async memberAudience(tx: Transaction, known?: number | null): Promise<number> {
    const current = known ?? (await this.organizations.memberAudienceId(tx))
    if (current !== null) return current
    const id = await this.unitOfWork.audiences.intern(tx, await this.users.listMemberIds(tx))
    await this.organizations.setMemberAudienceId(tx, id)
    return id
  }
}
