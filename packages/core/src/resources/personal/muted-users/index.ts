import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { mutedUsersChanged } from '../../people/users/index.js'
import { MutedUserRepository } from './muted-user-repository.js'
import { MutedUserService } from './muted-user-service.js'
import { mutedUsers as table } from './muted-users-table.js'

const path = '/users/me/muted_users/{muted_user_id}'
const params = { muted_user_id: Bounded.id() }

const muteUser = defineCommand({
  id: 'mute-user',
  summary: 'Mute a user; messages from muted users are marked as read.',
  method: 'POST',
  path,
  access: 'user',
  isPersonal: true,
  params,
  errors: ['BAD_REQUEST'],
  service: MutedUserService,
  handle: (mutedUsers, { actor, params }) => mutedUsers.mute(actor, params.muted_user_id),
})

const unmuteUser = defineCommand({
  id: 'unmute-user',
  summary: 'Unmute a user.',
  method: 'DELETE',
  path,
  access: 'user',
  isPersonal: true,
  params,
  errors: ['BAD_REQUEST'],
  service: MutedUserService,
  handle: (mutedUsers, { actor, params }) => mutedUsers.unmute(actor, params.muted_user_id),
})

/** `muted_users`. */
const mutedUserSnapshot = defineSnapshot({
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

const FileMutedUser = Type.Object(
  {
    user_id: FileId,
    muted_user_id: FileId,
    muted_at_seconds: Type.Optional(FileSeconds),
  },
  closed,
)
/** A muted user in an organization file. */
type FileMutedUser = Static<typeof FileMutedUser>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    muted_users: FileMutedUser
  }
}

const mutedUserFile = defineFileSection({
  key: 'muted_users',
  summary: 'Which users have muted which; messages from muted users are marked as read.',
  item: FileMutedUser,
  rowsOf: table,
  rows:
    ({ createdAtSeconds }) =>
    (item) => ({ muted_at_seconds: createdAtSeconds, ...item }),
  async check(items, check) {
    const pair = check.once()
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      check.requireKnown(`${place}/muted_user_id`, 'user', item.muted_user_id)
      pair(`${place}/muted_user_id`, `${item.user_id} ${item.muted_user_id}`, item.muted_user_id)
      if (item.user_id === item.muted_user_id) {
        check.report(`${place}/muted_user_id`, 'is the user themselves')
      }
    }
  },
})

export const mutedUsers = defineResource({
  operations: [muteUser, unmuteUser],
  events: [mutedUsersChanged],
  snapshot: mutedUserSnapshot,
  fileSection: mutedUserFile,
})
