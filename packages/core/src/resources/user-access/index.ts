export { UserAccess, type GuestSights } from './user-access.js'
