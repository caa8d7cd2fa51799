import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { Role } from '../../../domain/users/actor.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { OrganizationRepository } from '../../organization/organizations/index.js'
import { ActiveRoleRepository, type RoleMembers } from './active-role-repository.js'

/** Limit of the users of all organizations who are kept: some 16 MB. */
const maxKeptUsers = 1_000_000

interface KeptRoles {
  /** That of the organization's active users. */
  readonly version: number
  readonly byRole: ReadonlyMap<Role, RoleMembers>
}

/**
 * The active users of organizations by role. Registrations need all of them: they are kept until the
 * organization's row tells that they have changed.
 */
@perServer()
export class ActiveRoles {
  readonly #kept = new LRUCache<number, KeptRoles>({
    maxSize: maxKeptUsers,
    sizeCalculation: ({ byRole }) =>
      [...byRole.values()].reduce((sum, { ids }) => sum + ids.length, 1),
  })

  constructor(
    @inject(ActiveRoleRepository) private readonly roles: ActiveRoleRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    logs.onEnd((organizationId) => this.#kept.delete(organizationId))
  }

  /** The active users with each role. A role that nobody has is left out. */
  async byRole(scope: OrganizationScope): Promise<ReadonlyMap<Role, RoleMembers>> {
    const version = await this.organizations.activeUsersVersion(scope)
    const kept = this.#kept.get(scope.organizationId)
    if (kept?.version === version) return kept.byRole
    const byRole = await this.roles.listRoles(scope, Object.values(Role))
    // Elsewhere the users may be newer than the version, or never be committed.
    if (scope.isCommittedState) this.#kept.set(scope.organizationId, { version, byRole })
    return byRole
  }
}
