export { OrganizationRepository, type OrganizationRowData } from './organization-repository.js'
export {
  organizationChanged,
  OrganizationService,
  type OrganizationState,
} from './organization-service.js'
