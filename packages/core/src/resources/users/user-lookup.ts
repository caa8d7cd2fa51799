import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { foldCase } from '../../domain/folding.js'
import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'
import type { OrganizationScope } from '../../storage/index.js'
import { UserRepository, type UserRow } from './user-repository.js'
import { standInUserId, weakestRoleThatSees } from './user-view.js'

/** Finds users by what clients know of them. */
@perServer()
export class UserLookup {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Finds a user by a real address that the actor's role may see, or by the stand-in for one. An
   * address that is hidden is found no more than one that nobody has: it must not leak. Nor is
   * the actor's own, where others of the role do not see it.
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
