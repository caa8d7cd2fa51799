export { getOwnUser, getUser, getUserByEmail, getUsers } from './user-list-operations.js'
export { UserListSnapshot, userListKeys } from './user-list-snapshot.js'
