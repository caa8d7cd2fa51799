export { botEvents } from './bot-events.js'
export { botOperations } from './bot-operations.js'
export { BotSection } from './bot-snapshot.js'
