import { inject } from 'tsyringe'

import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { SharedValues, type SharedRows } from '../../organization/organizations/index.js'
import { userChanges } from './user-changes.js'
import { SystemBots } from './system-bots.js'
import { UserRepository } from './user-repository.js'
import type { ViewableUser } from './user-rows.js'
import type { UserRow } from './users-table.js'

/** Keeps the rows of recent actors, and the columns of users that clients see. */
@perServer()
export class UserDirectory {
  readonly #actors: SharedRows<UserRow>
  readonly #viewable: SharedRows<ViewableUser>

  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(SystemBots) private readonly systemBots: SystemBots,
    @inject(SharedValues) shared: SharedValues,
  ) {
    const changedBy = userChanges.all
    this.#actors = shared.defineRows('users', {
      changedBy,
      load: async (scope, ids) => byId(await users.findMany(scope, ids)),
    })
    this.#viewable = shared.defineRows('viewable_users', {
      changedBy,
      load: async (scope, ids) => byId(await users.findViewable(scope, ids)),
    })
  }

  /** @param scope where to read a user who is not committed; inside a transaction, the transaction. */
  async find(scope: OrganizationScope, userId: number): Promise<UserRow | undefined> {
    if (isSystemBotId(userId)) return this.systemBots.find(scope.organizationId, userId)
    const known = await this.#actors.committed(scope.organizationId, [userId])
    return known.get(userId) ?? this.users.find(scope, userId)
  }

  /** @throws {Error} if there is no such user. Only for ids that do not come from a client. */
  async require(scope: OrganizationScope, userId: number): Promise<UserRow> {
    const user = await this.find(scope, userId)
    if (user === undefined) throw new Error(`There is no user ${userId}`)
    return user
  }

  /** The columns that clients see, of those users who exist, ascending by id. */
  async findViewable(scope: OrganizationScope, ids: readonly number[]): Promise<ViewableUser[]> {
    const rows = await this.#viewable.in(scope, ids)
    return [...rows.values()].sort((a, b) => a.id - b.id)
  }
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
