import { defineResource } from '../../../resource-definition/resource.js'
import { botAdded, botDeleted } from './bot-events.js'
import {
  createBot,
  deactivateBot,
  getBots,
  regenerateBotApiKey,
  updateBot,
} from './bot-operations.js'
import { botSnapshot } from './bot-snapshot.js'

export { BotFileLoader, checkFileBots, fileBotProperties } from './bot-file-section.js'
export { BotRepository, type BotDetails } from './bot-repository.js'
export { ManagedBots } from './managed-bots.js'
export { ServiceTokens } from './service-tokens.js'

export const bots = defineResource({
  operations: [getBots, createBot, updateBot, deactivateBot, regenerateBotApiKey],
  events: [botAdded, botDeleted],
  snapshot: botSnapshot,
})
