import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { MutedUserRepository } from './muted-user-repository.js'

/** `muted_users`. */
export const mutedUserSnapshot = defineSnapshot({
  keys: {
    muted_users: Type.Array(
      Type.Object({
        id: Type.Integer(),
        timestamp: Type.Integer({ description: 'When the user was muted, in UNIX seconds.' }),
      }),
    ),
  },
  fetchType: 'muted_users',
  service: MutedUserRepository,
  async load(mutedUsers, context) {
    return { muted_users: await mutedUsers.list(context.scope, context.actor.userId) }
  },
})
