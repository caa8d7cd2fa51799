import { inject } from 'tsyringe'

import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork } from '../../storage/index.js'
import {
  AccountChanges,
  ExternalReferences,
  UserRepository,
  type OrganizationReference,
} from '../users/index.js'

/** Closes accounts for the application, which knows its users by its own ids, and opens them. */
@perServer()
export class ExternalAccountDeactivation {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AccountChanges) private readonly changes: AccountChanges,
  ) {}

  /**
   * Deactivates a user and the bots that they own. Does nothing for one whom the chat does not
   * know, or who is deactivated.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization, or nobody would be owner.
   * @throws {TypeError} if `given` is neither a string of 1 to 190 characters nor an integer.
   */
  async deactivate(given: string | number, options: OrganizationReference = {}): Promise<void> {
    const call = 'chat.users.deactivate'
    const { organizationId, externalId } = await this.references.resolve(call, given, options)
    await this.unitOfWork.run(organizationId, async (tx) => {
      const user = await this.users.findByExternalId(tx, externalId)
      if (user === undefined || !user.is_active) return
      if (await this.users.isOnlyOwner(tx, user)) {
        throw badRequest('Cannot deactivate the only organization owner')
      }
      await this.changes.deactivate(tx, user)
    })
  }

  /**
   * Makes a deactivated user active again; their bots stay deactivated.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization.
   * @throws {TypeError} if `given` is neither a string of 1 to 190 characters nor an integer.
   */
  async reactivate(given: string | number, options: OrganizationReference = {}): Promise<void> {
    const call = 'chat.users.reactivate'
    const { organizationId, externalId } = await this.references.resolve(call, given, options)
    await this.unitOfWork.run(organizationId, async (tx) => {
      const user = await this.users.findByExternalId(tx, externalId)
      if (user !== undefined && !user.is_active) await this.changes.reactivate(tx, user)
    })
  }
}
