import { defineResource } from '../../../resource-definition/resource.js'
import { deactivateRealm } from './organization-lifecycle-operations.js'

export { OrganizationCreation } from './organization-creation.js'
export {
  type CreatedOrganization,
  type EnsuredOrganization,
  type NewOrganization,
} from './new-organization.js'
export { OrganizationDeletion, type DeleteOptions } from './organization-deletion.js'
export {
  OrganizationDirectory,
  type ApplicationOrganization,
  type OrganizationUpdate,
} from './organization-directory.js'
export { OrganizationLifecycle } from './organization-lifecycle.js'
export { requireSubdomain } from './subdomain-rules.js'

export const organizationLifecycle = defineResource({
  operations: [deactivateRealm],
})
