export { presenceChanged } from './presence-events.js'
export { getPresence, getUserPresence, updatePresence } from './presence-operations.js'
export { PresenceService } from './presence-service.js'
export { PresenceSection } from './presence-snapshot.js'
