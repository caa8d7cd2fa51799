export { getOwnUser, getUser, getUserByEmail, getUsers } from './user-list-operations.js'
export { UserListService } from './user-list-service.js'
export { UserListSnapshot } from './user-list-snapshot.js'
