import { inject } from 'tsyringe'

import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { SharedValues, type SharedUserParts } from '../../organization/organizations/index.js'
import { MuterRepository } from './muter-repository.js'
import { mutedUsersChanged } from '../../people/users/index.js'

/** Keeps who has muted whom; messages from muted users are marked as read. */
@perServer()
export class Muters {
  readonly #byMuted: SharedUserParts<Map<number, Set<number>>, readonly number[]>

  constructor(
    @inject(MuterRepository) private readonly mutes: MuterRepository,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#byMuted = shared.defineUserParts('muted_users', {
      changedBy: mutedUsersChanged,
      load: (scope, userIds) => this.#load(scope, userIds),
      create: () => new Map<number, Set<number>>(),
      replace(byMuted, userId, before = [], after = []) {
        for (const mutedId of before) {
          byMuted.get(mutedId)?.delete(userId)
          if (byMuted.get(mutedId)?.size === 0) byMuted.delete(mutedId)
        }
        for (const mutedId of after) {
          byMuted.set(mutedId, (byMuted.get(mutedId) ?? new Set()).add(userId))
        }
      },
    })
  }

  /** The users who have muted `userId`. */
  async of(organizationId: number, userId: number): Promise<readonly number[]> {
    return [...((await this.#byMuted.of(organizationId)).get(userId) ?? [])]
  }

  async #load(
    scope: OrganizationScope,
    userIds?: readonly number[],
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const byUser = new Map<number, number[]>()
    for (const { user_id, muted_user_id } of await this.mutes.list(scope, userIds)) {
      addTo(byUser, user_id, muted_user_id)
    }
    return byUser
  }
}
