import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { MutedUserRepository } from './muted-user-repository.js'

/** `muted_users`. */
@perServer()
export class MutedUserSnapshot implements SnapshotSection {
  constructor(@inject(MutedUserRepository) private readonly mutedUsers: MutedUserRepository) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('muted_users')) return {}
    return { muted_users: await this.mutedUsers.list(context.scope, context.actor.userId) }
  }
}
