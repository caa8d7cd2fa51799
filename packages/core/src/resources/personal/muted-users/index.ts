import { defineResource } from '../../../resource-definition/resource.js'
import { mutedUsersChanged } from './muted-user-events.js'
import { mutedUserFile } from './muted-user-file-section.js'
import { muteUser, unmuteUser } from './muted-user-operations.js'
import { mutedUserSnapshot } from './muted-user-snapshot.js'

export const mutedUsers = defineResource({
  operations: [muteUser, unmuteUser],
  events: [mutedUsersChanged],
  snapshot: mutedUserSnapshot,
  fileSection: mutedUserFile,
})
