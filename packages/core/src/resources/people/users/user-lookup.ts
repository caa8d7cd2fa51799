import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { UserRepository } from './user-repository.js'
import type { UserRow } from './users-table.js'
import { standInUserId, weakestRoleThatSees } from './user-view.js'

/** Finds users by their email addresses. */
@perServer()
export class UserLookup {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Finds a user by a real address that the actor's role may see, or by a stand-in address. A
   * hidden address gives the same result as an unused one, so that it does not leak. That includes
   * the actor's own address, if others of the role cannot see it.
   */
  async findByEmail(
    scope: OrganizationScope,
    actor: Pick<Actor, 'role'>,
    email: string,
  ): Promise<UserRow | undefined> {
    const emailKey = foldCase(email.trim())
    const id = standInUserId(emailKey, this.facts)
    if (id !== undefined) return this.users.find(scope, id)
    const user = await this.users.findByEmailKey(scope, emailKey)
    return user !== undefined && actor.role <= weakestRoleThatSees(user) ? user : undefined
  }
}
