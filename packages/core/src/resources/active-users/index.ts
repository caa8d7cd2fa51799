export { ActiveUsers } from './active-users.js'
