import { Type, type Static } from 'typebox'

import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { mutedUsers } from './muted-users-table.js'

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

export const mutedUserFile = defineFileSection({
  key: 'muted_users',
  summary: 'Which users have muted which; messages from muted users are marked as read.',
  item: FileMutedUser,
  rowsOf: mutedUsers,
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
