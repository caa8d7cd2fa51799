export { UserAccess } from './user-access.js'
