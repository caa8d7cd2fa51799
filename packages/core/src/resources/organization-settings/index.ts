export { updateRealm } from './organization-settings-operations.js'
export { SettingMembers } from './setting-members.js'
export { RealmSnapshot } from './realm-snapshot.js'
