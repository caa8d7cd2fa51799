export { updateRealm } from './organization-settings-operations.js'
export { realmKeys } from './realm-keys.js'
export { RealmSnapshot } from './realm-snapshot.js'
