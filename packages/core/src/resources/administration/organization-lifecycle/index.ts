export {
  OrganizationCreation,
  type CreatedOrganization,
  type NewOrganization,
} from './organization-creation.js'
export { deactivateRealm } from './organization-lifecycle-operations.js'
export { OrganizationLifecycle } from './organization-lifecycle.js'
export { requireSubdomain } from './subdomain-rules.js'
