import { Role } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

interface ActiveUser {
  readonly id: number
  readonly role: Role
}

/** The active users by role, from which the members of system groups follow. */
@perServer()
export class ActiveRoleRepository {
  /** The active users with these roles, ascending by role and id. */
  async listRoles(scope: OrganizationScope, roles: readonly Role[]): Promise<ActiveUser[]> {
    if (roles.length === 0) return []
    const active = scope.query('users').where({ is_active: true })
    const ordered = active.whereIn('role', [...roles]).orderBy(['role', 'id'])
    return scope.listRows<ActiveUser>(ordered, ['id', 'role'])
  }

  /** The active members (of that role) who joined at this time or later. */
  async listNewMembers(
    scope: OrganizationScope,
    joinedFromMilliseconds: number,
  ): Promise<number[]> {
    const members = scope.query('users').where({ is_active: true, role: Role.member })
    const found = members.where('joined_at_milliseconds', '>=', joinedFromMilliseconds)
    return (await scope.listRows<{ id: number }>(found, ['id'])).map(({ id }) => id)
  }
}
