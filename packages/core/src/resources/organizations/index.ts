export { realmDeactivated, realmSettingsUpdated, realmUpdated } from './organization-events.js'
export { OrganizationRepository, type OrganizationRowData } from './organization-repository.js'
export {
  organizationChanged,
  OrganizationService,
  organizationStateOf,
  type OrganizationState,
} from './organization-service.js'
