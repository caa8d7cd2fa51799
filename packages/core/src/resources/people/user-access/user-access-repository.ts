import { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { idList, type OrganizationScope } from '../../../storage/index.js'

/** Deactivated users keep their subscriptions, but are not shown among the subscribers. */
const usedSubscriptions = `AND own.is_active AND own.is_user_active
  AND other.is_active AND other.is_user_active`

@perServer()
export class UserAccessRepository {
  async findGroupName(scope: OrganizationScope, groupId: number): Promise<string | null> {
    const row = await scope
      .query('user_groups')
      .where({ id: groupId })
      .first<{ name: string | null } | undefined>('name')
    return row?.name ?? null
  }

  /**
   * The human users whom these guests can access through a channel or a direct conversation.
   *
   * @param parts groups of guests; `userIds` limits the users that are returned.
   */
  async listAccessible(
    scope: OrganizationScope,
    parts: readonly {
      readonly guestIds: readonly number[]
      readonly userIds?: readonly number[]
    }[],
  ): Promise<{ guest_id: number; user_id: number }[]> {
    const ways = [
      ['subscriptions', 'channel_id', usedSubscriptions],
      ['recipient_members', 'recipient_id', ''],
    ] as const
    const selects = parts
      .filter(({ guestIds, userIds }) => guestIds.length > 0 && userIds?.length !== 0)
      .flatMap(({ guestIds, userIds }) =>
        ways.map(
          ([table, column, more]) =>
            `SELECT own.user_id AS guest_id, other.user_id AS user_id FROM ${scope.table(table)} own
             JOIN ${scope.table(table)} other ON other.${column} = own.${column}
             JOIN ${scope.table('users')} u ON u.id = other.user_id
             WHERE own.organization_id = ? AND own.user_id IN (${idList(guestIds)}) ${more}
               AND other.user_id <> own.user_id AND NOT u.is_bot
               ${userIds === undefined ? '' : `AND other.user_id IN (${idList(userIds)})`}`,
        ),
      )
    if (selects.length === 0) return []
    return scope.raw(
      selects.join(' UNION '),
      selects.map(() => scope.organizationId),
    )
  }

  /** The active guests who are subscribed to a channel of the user, who may be deactivated. */
  async listGuestsSharing(scope: OrganizationScope, userId: number): Promise<number[]> {
    const rows = await scope
      .queryAs('subscriptions', 'own')
      .join(scope.as('subscriptions', 'other'), 'other.channel_id', 'own.channel_id')
      .join(scope.as('users', 'u'), 'u.id', 'other.user_id')
      .where({ 'own.user_id': userId, 'own.is_active': true, 'other.is_active': true })
      .where({ 'u.is_active': true, 'u.role': Role.guest })
      .whereNot('other.user_id', userId)
      .distinct<{ user_id: number }[]>('other.user_id')
      .orderBy('other.user_id')
    return rows.map((row) => row.user_id)
  }

  /**
   * The users who share a channel or a direct conversation with the user; includes the user if
   * there are any.
   *
   * @param onlyId limits the result to this user.
   */
  async listPeerIds(scope: OrganizationScope, userId: number, onlyId?: number): Promise<number[]> {
    const pairs = (table: string, column: string, more: string): string =>
      `SELECT other.user_id FROM ${table} own
        JOIN ${table} other ON other.${column} = own.${column}
        WHERE own.organization_id = ? AND own.user_id = ? ${more}
          ${onlyId === undefined ? '' : 'AND other.user_id = ?'}`
    const bindings = [scope.organizationId, userId, ...(onlyId === undefined ? [] : [onlyId])]
    const rows = await scope.raw<{ user_id: number }>(
      `${pairs(scope.table('subscriptions'), 'channel_id', usedSubscriptions)}
       UNION
       ${pairs(scope.table('recipient_members'), 'recipient_id', '')}`,
      [...bindings, ...bindings],
    )
    return rows.map((row) => row.user_id)
  }

  /** The active guests, other than the user, who share no channel or direct conversation with them. */
  async listGuestsWithoutAccess(scope: OrganizationScope, userId: number): Promise<number[]> {
    const shares = (table: string, column: string, more: string): string =>
      `EXISTS (SELECT 1 FROM ${table} own
         JOIN ${table} other ON other.${column} = own.${column} AND other.user_id = ?
         WHERE own.organization_id = ? AND own.user_id = u.id ${more})`
    const pair = [userId, scope.organizationId]
    const rows = await scope.raw<{ id: number }>(
      `SELECT u.id FROM ?? u
       WHERE u.organization_id = ? AND u.is_active = ? AND u.role = ? AND u.id <> ?
         AND NOT ${shares(scope.table('subscriptions'), 'channel_id', usedSubscriptions)}
         AND NOT ${shares(scope.table('recipient_members'), 'recipient_id', '')}
       ORDER BY u.id`,
      [scope.table('users'), scope.organizationId, true, Role.guest, userId, ...pair, ...pair],
    )
    return rows.map(({ id }) => id)
  }

  async listBotIds(scope: OrganizationScope): Promise<number[]> {
    const rows = await scope.query('users').where({ is_bot: true }).select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }

  async listActiveGuestIds(scope: OrganizationScope): Promise<number[]> {
    const rows = await scope
      .query('users')
      .where({ is_active: true, role: Role.guest })
      .select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }
}
