export { settingsOf, UserSettingsSnapshot } from './user-settings-snapshot.js'
