import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { SystemBots } from './system-bots.js'
import { UserDirectory } from './user-directory.js'
import { UserRepository } from './user-repository.js'
import type { ViewableUser } from './user-rows.js'
import type { UserRow } from './users-table.js'

/** Everyone who can send and receive messages: users and system bots. */
@perServer()
export class UsersAndSystemBots {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserDirectory) private readonly directory: UserDirectory,
    @inject(SystemBots) private readonly bots: SystemBots,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** Those who exist, ascending by id. */
  async findMany(scope: OrganizationScope, ids: readonly number[]): Promise<UserRow[]> {
    const { bots, userIds } = this.#split(scope, ids)
    return [...(await this.users.findMany(scope, userIds)), ...bots]
  }

  /** The columns that clients see, of those who exist, ascending by id. */
  async findViewable(scope: OrganizationScope, ids: readonly number[]): Promise<ViewableUser[]> {
    const { bots, userIds } = this.#split(scope, ids)
    return [...(await this.directory.findViewable(scope, userIds)), ...bots]
  }

  /** @param emailKeys case-folded addresses, as `apiEmail` shows them to `viewer`. */
  async findByApiEmails(
    scope: OrganizationScope,
    viewer: Pick<Actor, 'userId'>,
    emailKeys: readonly string[],
  ): Promise<UserRow[]> {
    const bots = this.bots
      .list(scope.organizationId)
      .filter(({ email_key }) => emailKeys.includes(email_key))
    const taken = new Set(bots.map(({ email_key }) => email_key))
    const rest = emailKeys.filter((key) => !taken.has(key))
    if (rest.length === 0) return bots
    return [...(await this.users.findByApiEmails(scope, viewer, rest, this.facts)), ...bots]
  }

  #split(
    scope: OrganizationScope,
    ids: readonly number[],
  ): { bots: UserRow[]; userIds: readonly number[] } {
    const idSet = new Set(ids)
    const bots = this.bots.list(scope.organizationId).filter(({ id }) => idSet.has(id))
    if (bots.length === 0) return { bots, userIds: ids }
    const botIds = new Set(bots.map(({ id }) => id))
    return { bots, userIds: ids.filter((id) => !botIds.has(id)) }
  }
}
