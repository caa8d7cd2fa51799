export { UserAccess, type GuestVisibility } from './user-access.js'
