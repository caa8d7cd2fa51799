import { inject } from 'tsyringe'

import { hasRole, Role } from '../../../domain/users/actor.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { EmailDomains } from '../../organization/domains/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { actorOf, isOwnedByApplication, type UserRow } from '../../people/users/index.js'
import { FreeAddresses } from '../user-administration/index.js'

/** Checks which e-mail address a user may choose. */
@perServer()
export class AddressRules {
  constructor(
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(EmailDomains) private readonly domains: EmailDomains,
    @inject(FreeAddresses) private readonly addresses: FreeAddresses,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * @param isConfirmed whether the user has proved that the address is theirs. Until then, users
   *   who cannot access all users do not learn whether it has an account.
   * @throws {ChatError} `BAD_REQUEST` if the user may not have this address.
   */
  async require(
    scope: OrganizationScope,
    user: UserRow,
    email: string,
    { isConfirmed }: { readonly isConfirmed: boolean },
  ): Promise<void> {
    const { settings } = await this.organizations.require(scope.organizationId)
    if (isOwnedByApplication(user, 'email', this.facts)) throw changesDisabled()
    if (settings.email_changes_disabled && !hasRole(user, Role.administrator)) {
      throw changesDisabled()
    }
    if (!isEmailAddress(email)) throw badRequest('EMAIL_ADDRESS_WRONG_FORMAT')
    switch (await this.domains.problemOf(scope, email)) {
      case 'foreign':
        throw badRequest('EMAIL_ADDRESS_OUTSIDE_DOMAIN')
      case 'disposable':
        throw badRequest('EMAIL_ADDRESS_DISPOSABLE')
      case 'tagged':
        throw badRequest('EMAIL_ADDRESS_WITH_PLUS')
      case undefined:
    }
    if (!isConfirmed && (await this.access.isLimited(actorOf(user)))) return
    const problem = await this.addresses.problemOf(scope, email, user.id)
    if (problem !== undefined) throw new ChatError('BAD_REQUEST', { text: problem })
  }
}

export function changesDisabled(): Error {
  return badRequest('EMAIL_ADDRESS_CHANGES_DISABLED')
}
