import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'
import { RealmDomain } from './realm-domain-schemas.js'

export const domainAdded = defineEvent<{ realm_domain: RealmDomain }>({
  type: 'realm_domains',
  op: 'add',
  summary: 'Addresses may be of one more domain. Sent to all active users.',
  payload: Type.Object({ realm_domain: RealmDomain }),
})

export const domainChanged = defineEvent<{ realm_domain: RealmDomain }>({
  type: 'realm_domains',
  op: 'change',
  summary: "A domain's subdomains were let in or left out. Sent to all active users.",
  payload: Type.Object({ realm_domain: RealmDomain }),
})

export const domainRemoved = defineEvent<{ domain: string }>({
  type: 'realm_domains',
  op: 'remove',
  summary: 'New addresses may not be of a domain any more. Sent to all active users.',
  payload: Type.Object({ domain: Type.String() }),
})

/** Every kind of event about domains. */
export const realmDomainEvents = [
  domainAdded.definition,
  domainChanged.definition,
  domainRemoved.definition,
] as const
