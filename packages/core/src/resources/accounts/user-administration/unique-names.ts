import { inject } from 'tsyringe'

import { equalNameForms } from '../../../domain/users/full-name.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserRepository } from '../../people/users/index.js'

/** Requires unique names if the organization has that setting. */
@perServer()
export class UniqueNames {
  constructor(
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
  ) {}

  /**
   * @param userId the user who gets the name.
   * @throws {ChatError} `BAD_REQUEST` if another user has the name and names must be unique.
   */
  async require(scope: OrganizationScope, fullName: string, userId: number): Promise<void> {
    const { settings } = await this.organizations.require(scope.organizationId)
    if (!settings.require_unique_names) return
    if (await this.users.isNameTaken(scope, equalNameForms(fullName), userId)) {
      throw badRequest('USER_NAMES_NOT_UNIQUE')
    }
  }
}
