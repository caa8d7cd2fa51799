import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/folding.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { SystemBots, UserRepository } from '../../people/users/index.js'

/** Checks whether email addresses are in use. */
@perServer()
export class FreeAddresses {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
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
  ): Promise<string | undefined> {
    if (this.systemBots.hasAddress(email)) return 'Reserved for system bots.'
    const owner = await this.users.findByEmailKey(scope, foldCase(email))
    if (owner === undefined || owner.id === userId) return undefined
    return owner.is_active ? 'Already has an account.' : 'Account has been deactivated.'
  }
}
