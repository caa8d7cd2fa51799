import { defineCommand } from '../../../http/operation.js'
import { OrganizationLifecycle } from './organization-lifecycle.js'

export const deactivateRealm = defineCommand({
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
