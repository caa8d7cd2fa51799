export { ActiveUsers } from './active-users.js'
export { eachOrganization } from './each-organization.js'
export {
  realmDeactivated,
  realmSettingsUpdated,
  realmUpdated,
  type ChangedSetting,
} from './organization-events.js'
export {
  organizationIconUrl,
  organizationImageNames,
  organizationImageValues,
  type OrganizationImageName,
} from './organization-image-values.js'
export { OrganizationRepository } from './organization-repository.js'
export {
  organizationChanged,
  OrganizationService,
  organizationStateOf,
  type OrganizationState,
} from './organization-service.js'
