import type { Role } from '../../../domain/users/actor.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

/** Looking at the clock takes longer than a row. */
const rowsPerCheck = 1000

interface ActiveUser {
  readonly id: number
  readonly role: Role
  readonly joined_at_milliseconds: number
}

/** The active users with one role, ascending. */
export interface RoleMembers {
  readonly ids: readonly number[]
  /** When each of them joined. */
  readonly joinedAtMilliseconds: readonly number[]
}

/** The active users by role, from which the members of system groups follow. */
@perServer()
export class ActiveRoleRepository {
  /** The active users with each of these roles. A role that nobody has is left out. */
  async listRoles(
    scope: OrganizationScope,
    roles: readonly Role[],
  ): Promise<ReadonlyMap<Role, RoleMembers>> {
    const byRole = new Map<Role, { ids: number[]; joinedAtMilliseconds: number[] }>()
    if (roles.length === 0) return byRole
    const active = scope.query('users').where({ is_active: true })
    const ordered = active.whereIn('role', [...roles]).orderBy(['role', 'id'])
    const columns = ['id', 'role', 'joined_at_milliseconds'] as const
    const yielder = new EventLoopYielder()
    for (const [index, user] of (await scope.listRows<ActiveUser>(ordered, columns)).entries()) {
      if (index % rowsPerCheck === 0 && yielder.isDue) await yielder.yield()
      let members = byRole.get(user.role)
      if (members === undefined) {
        members = { ids: [], joinedAtMilliseconds: [] }
        byRole.set(user.role, members)
      }
      members.ids.push(user.id)
      members.joinedAtMilliseconds.push(user.joined_at_milliseconds)
    }
    return byRole
  }
}
