import { defineResource } from '../../../resource-definition/resource.js'
import { updateRealm } from './organization-settings-operations.js'
import { realmSnapshot } from './realm-snapshot.js'

export { keptSettings } from './organization-setting-definitions.js'
export { requireJitsiUrl } from './organization-setting-values.js'

export const organizationSettings = defineResource({
  operations: [updateRealm],
  snapshot: realmSnapshot,
})
