export { updateRealm } from './organization-settings-operations.js'
export { RealmSnapshot } from './realm-snapshot.js'
