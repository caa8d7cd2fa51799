export { RealmSnapshot } from './realm-snapshot.js'
export { organizationIconUrl } from './realm-values.js'
