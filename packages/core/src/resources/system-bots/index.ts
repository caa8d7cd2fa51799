export { Correspondents } from './correspondents.js'
export { SystemBots } from './system-bots.js'
