import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { RealmDomain } from './realm-domain-schemas.js'

export const domainAdded = defineEvent({
  type: 'realm_domains',
  op: 'add',
  summary: 'A domain was added to the allowed email domains. Sent to all active users.',
  payload: Type.Object({ realm_domain: RealmDomain }),
})

export const domainChanged = defineEvent({
  type: 'realm_domains',
  op: 'change',
  summary: 'An allowed email domain now includes or excludes subdomains. Sent to all active users.',
  payload: Type.Object({ realm_domain: RealmDomain }),
})

export const domainRemoved = defineEvent({
  type: 'realm_domains',
  op: 'remove',
  summary: 'A domain was removed from the allowed email domains. Sent to all active users.',
  payload: Type.Object({ domain: Type.String() }),
})
