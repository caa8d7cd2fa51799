import type { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { columnsIn } from '../../../storage/tables/table.js'
import type { BotRights } from './bot-rights.js'
import { users, type UserRow } from './users-table.js'

/** Finds bots by their owners. */
@perServer()
export class OwnedBotRepository {
  /** The number of bots that the user owns, including deactivated ones. */
  async countOf(scope: OrganizationScope, ownerId: number): Promise<number> {
    return scope.rows(users).count({ is_bot: true, bot_owner_id: ownerId })
  }

  async countActiveOf(scope: OrganizationScope, ownerId: number): Promise<number> {
    return scope.rows(users).count({ is_bot: true, bot_owner_id: ownerId, is_active: true })
  }

  /**
   * Bots with the roles of their owners.
   *
   * @param ownerId undefined for the bots of all users.
   */
  async list(
    scope: OrganizationScope,
    ownerId: number | undefined,
  ): Promise<(UserRow & BotRights)[]> {
    const query = scope
      .queryAs('users', 'b')
      .leftJoin(scope.as('users', 'o'), 'o.id', 'b.bot_owner_id')
      .where({ 'b.is_bot': true })
    const filtered = ownerId === undefined ? query : query.where({ 'b.bot_owner_id': ownerId })
    return scope.listRows<UserRow & BotRights>(filtered.orderBy('b.id'), {
      ...columnsIn(users, 'b'),
      owner_role: 'o.role',
    })
  }

  /** The same bot with the role of its owner. */
  async withOwnerRole(scope: OrganizationScope, bot: UserRow): Promise<UserRow & BotRights> {
    const owner =
      bot.bot_owner_id === null
        ? undefined
        : await scope
            .query('users')
            .where({ id: bot.bot_owner_id })
            .first<{ role: Role } | undefined>('role')
    return { ...bot, owner_role: owner?.role ?? null }
  }

  async listActiveOf(scope: OrganizationScope, ownerId: number): Promise<UserRow[]> {
    return scope
      .query('users')
      .where({ is_active: true, is_bot: true, bot_owner_id: ownerId })
      .orderBy('id')
      .select('*')
  }
}
