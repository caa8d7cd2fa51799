export { UsersAndSystemBots } from './users-and-system-bots.js'
export { SystemBots } from './system-bots.js'
