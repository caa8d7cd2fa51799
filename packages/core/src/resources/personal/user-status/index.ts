import { defineResource } from '../../../resource-definition/resource.js'
import { userStatusChanged } from './user-status-events.js'
import { userStatusFile } from './user-status-file-section.js'
import { getUserStatus, updateStatus, updateStatusForUser } from './user-status-operations.js'
import { userStatusSnapshot } from './user-status-snapshot.js'

export { ReturnedStatuses } from './returned-statuses.js'
export { UserStatusService } from './user-status-service.js'

export const userStatus = defineResource({
  operations: [getUserStatus, updateStatus, updateStatusForUser],
  events: [userStatusChanged],
  snapshot: userStatusSnapshot,
  fileSection: userStatusFile,
})
