import { defineResource } from '../../../resource-definition/resource.js'
import { presenceChanged } from './presence-events.js'
import { getPresence, getUserPresence, updatePresence } from './presence-operations.js'
import { presenceSnapshot } from './presence-snapshot.js'

export { PresenceService } from './presence-service.js'

export const presence = defineResource({
  operations: [updatePresence, getUserPresence, getPresence],
  events: [presenceChanged],
  snapshot: presenceSnapshot,
})
