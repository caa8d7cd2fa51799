export { getOwnUser, getUser, getUserByEmail, getUsers } from './user-list-operations.js'
export { UserListSnapshot } from './user-list-snapshot.js'
