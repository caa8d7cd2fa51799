import { defineResource } from '../../../resource-definition/resource.js'
import { getOwnUser, getUser, getUserByEmail, getUsers } from './user-list-operations.js'
import { userListSnapshot } from './user-list-snapshot.js'

export const userList = defineResource({
  operations: [getUsers, getOwnUser, getUser, getUserByEmail],
  snapshot: userListSnapshot,
})
