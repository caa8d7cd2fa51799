import { inject } from 'tsyringe'

import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { ObservedCache } from '../../../events/log/log-observer.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { changedUserIds, changesUsers } from './changed-users.js'
import { SystemBots } from './system-bots.js'
import { UserRepository } from './user-repository.js'
import type { UserRow } from './user-rows.js'

const maxRemembered = 20_000

interface RememberedUsers {
  /** Where rows are read that are not remembered yet. */
  readonly scope: OrganizationScope
  readonly rows: Map<number, UserRow>
  /** Increases with every change: a row that was read before it is not remembered. */
  version: number
}

/** Caches the rows of recent actors, until the event log contains a change of the user. */
@perServer()
export class UserDirectory {
  readonly #users: ObservedCache<RememberedUsers>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(SystemBots) private readonly systemBots: SystemBots,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#users = new ObservedCache(
      logs,
      'users',
      async (organizationId) => ({
        scope: this.database.read(organizationId),
        rows: new Map(),
        version: 0,
      }),
      changesUsers,
      (known, kind, data, userIds) => {
        known.version += 1
        for (const userId of changedUserIds(kind, data, userIds)) known.rows.delete(userId)
      },
    )
  }

  /** @param scope where to read a user who is not cached; inside a transaction, the transaction. */
  async find(scope: OrganizationScope, userId: number): Promise<UserRow | undefined> {
    if (isSystemBotId(userId)) return this.systemBots.find(scope.organizationId, userId)
    const known = await this.#users.get(scope.organizationId)
    const remembered = known.rows.get(userId)
    if (remembered !== undefined) return remembered
    const { version } = known
    const found = await this.users.find(known.scope, userId)
    if (found === undefined) return this.users.find(scope, userId)
    if (known.version !== version) return found
    if (known.rows.size >= maxRemembered) known.rows.clear()
    known.rows.set(userId, found)
    return found
  }

  /** @throws {Error} if there is no such user. Only for ids that do not come from a client. */
  async require(scope: OrganizationScope, userId: number): Promise<UserRow> {
    const user = await this.find(scope, userId)
    if (user === undefined) throw new Error(`There is no user ${userId}`)
    return user
  }
}
