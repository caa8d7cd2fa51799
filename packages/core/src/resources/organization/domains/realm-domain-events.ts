import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

/** An allowed domain for email addresses of the organization's users. */
export const RealmDomain = Type.Object(
  { domain: Type.String({ description: 'Lower-case.' }), allow_subdomains: Type.Boolean() },
  { additionalProperties: false },
)
export type RealmDomain = Static<typeof RealmDomain>

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
