import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserRepository, type UserRow } from '../../people/users/index.js'
import type { IncomingMailContent } from './mail-parser.js'
import { MailRefused } from './received-mail.js'

/** Finds the users whose permissions an address uses. */
@perServer()
export class MailUsers {
  constructor(
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
  ) {}

  /** @throws {MailRefused} `unknown_address` if there is no such user, or the account is inactive. */
  async requireActive(scope: OrganizationScope, id: number): Promise<UserRow> {
    const organization = await this.organizations.find(scope.organizationId)
    const user = await this.users.find(scope, id)
    if (user?.is_active !== true || organization?.isDeactivated !== false) {
      throw new MailRefused('unknown_address')
    }
    return user
  }
}

/** Whether a mail comes from the address of a user. */
export function isFrom({ from }: IncomingMailContent, { email }: UserRow): boolean {
  return foldCase(from?.address ?? '') === foldCase(email)
}
