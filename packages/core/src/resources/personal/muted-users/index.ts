export { mutedUsersChanged } from './muted-user-events.js'
export { mutedUserFile, type FileMutedUser } from './muted-user-file-section.js'
export { muteUser, unmuteUser } from './muted-user-operations.js'
export { MutedUserSnapshot, mutedUserKeys } from './muted-user-snapshot.js'
