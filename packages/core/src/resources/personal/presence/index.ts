import { defineResource } from '../../../resource-definition/resource.js'
import { presenceChanged } from './presence-events.js'
import { getPresence, getUserPresence, updatePresence } from './presence-operations.js'
import { presenceSnapshot } from './presence-snapshot.js'
import { PresenceUpkeep } from './presence-upkeep.js'

export { ApplicationPresences, type UserPresence } from './application-presences.js'
export { PresenceMemory } from './presence-memory.js'
export { PresenceService } from './presence-service.js'

export const presence = defineResource({
  operations: [updatePresence, getUserPresence, getPresence],
  events: [presenceChanged],
  snapshot: presenceSnapshot,
  backgroundWork: [PresenceUpkeep],
})
