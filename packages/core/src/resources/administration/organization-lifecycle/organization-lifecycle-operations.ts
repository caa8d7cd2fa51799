import { Type } from 'typebox'

import { defineOperation } from '../../../http/operation.js'
import { OrganizationLifecycle } from './organization-lifecycle.js'

export const deactivateRealm = defineOperation({
  id: 'deactivate-realm',
  summary: 'Deactivate the organization. All further requests are rejected.',
  method: 'POST',
  path: '/realm/deactivate',
  access: 'owner',
  params: {},
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  service: OrganizationLifecycle,
  async handle(lifecycle, { actor }) {
    await lifecycle.deactivateId(actor.organizationId)
    return {}
  },
})
