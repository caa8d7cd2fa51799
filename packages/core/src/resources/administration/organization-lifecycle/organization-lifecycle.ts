import { inject } from 'tsyringe'

import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import {
  organizationChanged,
  OrganizationRepository,
  OrganizationService,
  realmDeactivated,
} from '../../organization/organizations/index.js'
import { UserService } from '../../people/users/index.js'

/** Deactivates and reactivates organizations. */
@perServer()
export class OrganizationLifecycle {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OrganizationRepository) private readonly rows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserService) private readonly users: UserService,
  ) {}

  /**
   * Deactivates an organization: all further requests are rejected, no data is deleted, and an
   * event is sent to all users.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   */
  async deactivate(subdomain: string): Promise<void> {
    await this.deactivateId(await this.#requireId(subdomain))
  }

  /** The same for an organization that is known to exist. */
  async deactivateId(id: number): Promise<void> {
    await this.unitOfWork.run(id, async (tx) => {
      await this.rows.update(tx, { is_deactivated: true })
      tx.audit({ action: 'organization.deactivated' })
      const audienceId = await this.users.activeAudience(tx)
      tx.emit(realmDeactivated({ audienceId }, { realm_id: id }))
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such organization. */
  async reactivate(subdomain: string): Promise<void> {
    await this.unitOfWork.run(await this.#requireId(subdomain), async (tx) => {
      await this.rows.update(tx, { is_deactivated: false })
      tx.audit({ action: 'organization.reactivated' })
      tx.emit(organizationChanged({}))
    })
  }

  async #requireId(subdomain: string): Promise<number> {
    const organization = await this.organizations.findBySubdomain(subdomain)
    if (organization === undefined) throw badRequest('ORGANIZATION_UNKNOWN')
    return organization.id
  }
}
