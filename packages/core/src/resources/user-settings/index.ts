export { userSettingsEvents } from './user-settings-events.js'
export { userSettingsOperations } from './user-settings-operations.js'
export { UserSettingsService } from './user-settings-service.js'
export { UserSettingsSnapshot } from './user-settings-snapshot.js'
