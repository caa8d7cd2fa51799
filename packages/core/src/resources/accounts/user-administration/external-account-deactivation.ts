import { inject } from 'tsyringe'

import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import {
  AccountChanges,
  ExternalReferences,
  UserRepository,
  type AccountReference,
  type OrganizationReference,
} from '../../people/users/index.js'

/** Deactivates and reactivates accounts for the application, by the application's user ids. */
@perServer()
export class ExternalAccountDeactivation {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AccountChanges) private readonly changes: AccountChanges,
  ) {}

  /**
   * Deactivates a user and the bots that they own. Does nothing if the user has no account or is
   * already deactivated.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization, or it would have no owner.
   * @throws {TypeError} if the reference is invalid.
   */
  async deactivate(
    reference: AccountReference,
    options: OrganizationReference = {},
  ): Promise<void> {
    const call = 'chat.users.deactivate'
    const { organizationId, key } = await this.references.resolve(call, reference, options)
    await this.unitOfWork.run(organizationId, async (tx) => {
      const user = await this.references.find(tx, key)
      if (user === undefined || !user.is_active) return
      if (await this.users.isOnlyOwner(tx, user)) {
        throw badRequest('ONLY_OWNER_NOT_DEACTIVATED')
      }
      await this.changes.deactivate(tx, user)
    })
  }

  /**
   * Reactivates a user; their bots stay deactivated.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if the reference is invalid.
   */
  async reactivate(
    reference: AccountReference,
    options: OrganizationReference = {},
  ): Promise<void> {
    const call = 'chat.users.reactivate'
    const { organizationId, key } = await this.references.resolve(call, reference, options)
    await this.unitOfWork.run(organizationId, async (tx) => {
      const user = await this.references.find(tx, key)
      if (user !== undefined && !user.is_active) await this.changes.reactivate(tx, user)
    })
  }
}
