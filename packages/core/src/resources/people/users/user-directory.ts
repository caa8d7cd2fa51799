import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/followed-logs.js'
import { ObservedCache } from '../../../events/log-observer.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { UserRepository } from './user-repository.js'
import type { UserRow } from './user-rows.js'

const maxRemembered = 20_000

/** Caches the rows of recent actors, until the event log contains a change of the user. */
@perServer()
export class UserDirectory {
  readonly #users: ObservedCache<Map<number, UserRow>>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#users = new ObservedCache(
      logs,
      async () => new Map(),
      (kind) =>
        kind.startsWith('realm_user/') || kind === '@user' || kind === 'user_settings/update',
    )
  }

  /** @param scope where to read a user who is not cached; inside a transaction, the transaction. */
  async find(scope: OrganizationScope, userId: number): Promise<UserRow | undefined> {
    const known = await this.#users.get(scope.organizationId)
    const remembered = known.get(userId)
    if (remembered !== undefined) return remembered
    const committed = await this.users.find(this.database.read(scope.organizationId), userId)
    if (committed === undefined) return this.users.find(scope, userId)
    if (known.size >= maxRemembered) known.clear()
    known.set(userId, committed)
    return committed
  }

  /** @throws {Error} if there is no such user. Only for ids that do not come from a client. */
  async require(scope: OrganizationScope, userId: number): Promise<UserRow> {
    const user = await this.find(scope, userId)
    if (user === undefined) throw new Error(`There is no user ${userId}`)
    return user
  }
}
