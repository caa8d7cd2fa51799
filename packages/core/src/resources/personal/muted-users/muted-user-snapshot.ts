import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { MutedUserRepository } from './muted-user-repository.js'

/** The keys that the snapshot adds to the response of `POST /register`. */
export const mutedUserKeys = {
  muted_users: Type.Array(
    Type.Object({
      id: Type.Integer(),
      timestamp: Type.Integer({ description: 'When the user was muted, in UNIX seconds.' }),
    }),
  ),
}

/** `muted_users`. */
@perServer()
export class MutedUserSnapshot implements SnapshotSection {
  constructor(@inject(MutedUserRepository) private readonly mutedUsers: MutedUserRepository) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('muted_users')) return {}
    return { muted_users: await this.mutedUsers.list(context.scope, context.actor.userId) }
  }
}
