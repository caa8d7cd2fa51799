import { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

@perServer()
export class ActiveUserRepository {
  async listIds(scope: OrganizationScope): Promise<number[]> {
    const query = scope.query('users').where({ is_active: true }).orderBy('id')
    const rows = await scope.listRows<{ id: number }>(query, ['id'])
    return rows.map((row) => row.id)
  }

  /** The active users who are not guests. */
  async listMemberIds(scope: OrganizationScope): Promise<number[]> {
    const query = scope
      .query('users')
      .where({ is_active: true })
      .whereNot({ role: Role.guest })
      .orderBy('id')
    const rows = await scope.listRows<{ id: number }>(query, ['id'])
    return rows.map((row) => row.id)
  }
}
