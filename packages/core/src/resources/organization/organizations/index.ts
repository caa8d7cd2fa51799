import { defineResource } from '../../../resource-definition/resource.js'
import { realmDeactivated, realmSettingsUpdated, realmUpdated } from './organization-events.js'

export { ActiveUsers } from './active-users.js'
export { eachOrganization } from './each-organization.js'
export {
  realmDeactivated,
  realmSettingsUpdated,
  realmUpdated,
  type ChangedSetting,
} from './organization-events.js'
export { OrganizationRepository } from './organization-repository.js'
export type { StoredOrganizationSettings } from './organizations-table.js'
export {
  organizationChanged,
  organizationChanges,
  OrganizationService,
  organizationStateOf,
} from './organization-service.js'
export { ReaderTexts } from './reader-texts.js'
export type { SharedRows } from './shared-rows.js'
export type { SharedUserParts } from './shared-user-parts.js'
export { SharedValues, type SharedValue } from './shared-values.js'

export const organizations = defineResource({
  events: [realmDeactivated, realmUpdated, realmSettingsUpdated],
})
