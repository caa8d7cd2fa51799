export { presenceEvents } from './presence-events.js'
export { presenceOperations } from './presence-operations.js'
export { PresenceService } from './presence-service.js'
export { PresenceSection, presenceKeys } from './presence-snapshot.js'
