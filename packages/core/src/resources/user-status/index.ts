export { userStatusChanged } from './user-status-events.js'
export { getUserStatus, updateStatus, updateStatusForUser } from './user-status-operations.js'
export { UserStatusSection } from './user-status-snapshot.js'
