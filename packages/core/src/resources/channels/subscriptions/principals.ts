import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { apiEmail, UserRepository, type ViewableUser } from '../../people/users/index.js'

/** The users of a request: ids or addresses. */
export const PrincipalsParameter = Type.Union([Bounded.ids(), Bounded.names()])
export type PrincipalsParameter = Static<typeof PrincipalsParameter>

/** The users of a request; permissions on them are not checked here. */
export interface Principals {
  /** Those that exist and `actor` can access, without duplicates. */
  readonly users: readonly ViewableUser[]
  /** Whether every id or address belongs to one of them. */
  readonly areAllKnown: boolean
}

/** Finds the users of a request. */
@perServer()
export class PrincipalFinder {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** @param named an empty list means `actor`. */
  async find(
    scope: OrganizationScope,
    actor: Actor,
    named: PrincipalsParameter | undefined,
  ): Promise<Principals> {
    const ids: (number | string)[] =
      named === undefined || named.length === 0 ? [actor.userId] : named
    if (ids.every((id) => typeof id === 'number')) {
      const found = await this.users.findViewable(scope, [...new Set(ids)])
      const users = await this.access.filterAccessible(scope, actor, found)
      return { users, areAllKnown: users.length === new Set(ids).size }
    }
    const keys = [...new Set(ids.map((email) => foldCase(String(email).trim())))]
    const owners = await this.users.findByApiEmails(scope, actor, keys, this.facts)
    const users = await this.access.filterAccessible(scope, actor, owners)
    const found = new Set(users.map((user) => foldCase(apiEmail(user, this.facts))))
    return { users, areAllKnown: keys.every((key) => found.has(key)) }
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if one of them does not exist, is not accessible to `actor`, or
   *   is deactivated.
   */
  async requireActive(actor: Actor, { users, areAllKnown }: Principals): Promise<void> {
    if (!areAllKnown) throw await this.access.unknownUserError(actor)
    if (users.some((user) => !user.is_active)) throw badRequest('USER_INACTIVE')
  }
}
