export { botEvents } from './bot-events.js'
export { BotFileLoader, checkFileBots, fileBotProperties } from './bot-file-section.js'
export { botOperations } from './bot-operations.js'
export { BotSection } from './bot-snapshot.js'
