import { defineCommand } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { OrganizationLifecycle } from './organization-lifecycle.js'

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

const deactivateRealm = defineCommand({
  id: 'deactivate-realm',
  summary: 'Deactivate the organization. All further requests are rejected.',
  method: 'POST',
  path: '/realm/deactivate',
  access: 'owner',
  params: {},
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  service: OrganizationLifecycle,
  handle: (lifecycle, { actor }) => lifecycle.deactivateId(actor.organizationId),
})

export const organizationLifecycle = defineResource({
  operations: [deactivateRealm],
})
