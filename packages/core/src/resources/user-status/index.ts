export { userStatusEvents } from './user-status-events.js'
export { userStatusOperations } from './user-status-operations.js'
export { UserStatusSection, userStatusKeys } from './user-status-snapshot.js'
export { userStatusFile } from './user-status-file-section.js'
