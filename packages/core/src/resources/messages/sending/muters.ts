import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { ObservedUserParts } from '../../../events/log/observed-user-parts.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { MuterRepository } from './muter-repository.js'

/** Caches who has muted whom; messages from muted users are marked as read. */
@perServer()
export class Muters {
  readonly #byMuted: ObservedUserParts<Map<number, Set<number>>, readonly number[]>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(MuterRepository) private readonly mutes: MuterRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#byMuted = new ObservedUserParts(logs, {
      kind: 'muted_users',
      load: (organizationId, userIds) => this.#load(organizationId, userIds),
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
    return [...((await this.#byMuted.get(organizationId)).get(userId) ?? [])]
  }

  async #load(
    organizationId: number,
    userIds?: readonly number[],
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const scope = this.database.read(organizationId)
    const byUser = new Map<number, number[]>()
    for (const { user_id, muted_user_id } of await this.mutes.list(scope, userIds)) {
      addTo(byUser, user_id, muted_user_id)
    }
    return byUser
  }
}
