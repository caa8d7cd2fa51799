import { Role } from '../../domain/actor.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'

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
   * Who shares a channel or a direct conversation with the user; the user too, if anybody does.
   *
   * @param onlyId leaves out everyone else, where given.
   */
  async listPeerIds(scope: OrganizationScope, userId: number, onlyId?: number): Promise<number[]> {
    const pairs = (table: string, column: string, more: string): string =>
      `SELECT other.user_id FROM ${table} own
        JOIN ${table} other ON other.${column} = own.${column}
        WHERE own.organization_id = ? AND own.user_id = ? ${more}
          ${onlyId === undefined ? '' : 'AND other.user_id = ?'}`
    const bindings = [scope.organizationId, userId, ...(onlyId === undefined ? [] : [onlyId])]
    const rows = await scope.raw<{ user_id: number }>(
      `${pairs(scope.table('subscriptions'), 'channel_id', 'AND own.is_active AND other.is_active')}
       UNION
       ${pairs(scope.table('recipient_members'), 'recipient_id', '')}`,
      [...bindings, ...bindings],
    )
    return rows.map((row) => row.user_id)
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
