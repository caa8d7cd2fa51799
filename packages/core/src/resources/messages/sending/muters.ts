import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/followed-logs.js'
import { ObservedCache } from '../../../events/log-observer.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { UserRepository } from '../../people/users/index.js'

/** Caches who has muted whom; messages from muted users are marked as read. */
@perServer()
export class Muters {
  readonly #byMuted: ObservedCache<ReadonlyMap<number, readonly number[]>>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#byMuted = new ObservedCache(
      logs,
      (organizationId) => this.#load(organizationId),
      (kind) => kind === 'muted_users',
    )
  }

  /** The users who have muted `userId`. */
  async of(organizationId: number, userId: number): Promise<readonly number[]> {
    return (await this.#byMuted.get(organizationId)).get(userId) ?? []
  }

  async #load(organizationId: number): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await this.users.listMutes(this.database.read(organizationId))
    const byMuted = new Map<number, number[]>()
    for (const { user_id, muted_user_id } of rows) addTo(byMuted, muted_user_id, user_id)
    return byMuted
  }
}
