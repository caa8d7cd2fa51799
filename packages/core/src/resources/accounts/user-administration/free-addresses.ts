import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { namedText, type NamedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { ExternalUserRepository, SystemBots } from '../../people/users/index.js'

/** Checks whether email addresses are in use. */
@perServer()
export class FreeAddresses {
  constructor(
    @inject(ExternalUserRepository) private readonly users: ExternalUserRepository,
    @inject(SystemBots) private readonly systemBots: SystemBots,
  ) {}

  /**
   * Why an account cannot have an email address.
   *
   * @param userId the account; 0 for a new one.
   */
  async problemOf(
    scope: OrganizationScope,
    email: string,
    userId: number,
  ): Promise<NamedText | undefined> {
    return (await this.problemsOf(scope, [email], userId)).get(email)
  }

  /** The same for many addresses, without those that the account can have. */
  async problemsOf(
    scope: OrganizationScope,
    emails: readonly string[],
    userId: number,
  ): Promise<ReadonlyMap<string, NamedText>> {
    const owners = await this.users.listRowsByEmailKeys(scope, emails.map(foldCase))
    const owned = new Map(
      owners.filter(({ id }) => id !== userId).map((owner) => [owner.email_key, owner.is_active]),
    )
    const problems = new Map<string, NamedText>()
    for (const email of emails) {
      const isActive = owned.get(foldCase(email))
      if (this.systemBots.hasAddress(email))
        problems.set(email, namedText('EMAIL_ADDRESS_RESERVED'))
      else if (isActive !== undefined) {
        problems.set(
          email,
          namedText(
            isActive ? 'EMAIL_ADDRESS_HAS_ACCOUNT' : 'EMAIL_ADDRESS_OF_DEACTIVATED_ACCOUNT',
          ),
        )
      }
    }
    return problems
  }
}
