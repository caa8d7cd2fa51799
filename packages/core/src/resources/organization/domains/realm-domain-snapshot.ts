import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { RealmDomain } from './realm-domain-schemas.js'
import { RealmDomainService } from './realm-domain-service.js'

export const realmDomainSnapshot = defineSnapshot({
  keys: { realm_domains: Type.Array(RealmDomain) },
  fetchType: 'realm_domains',
  service: RealmDomainService,
  async load(domains, context) {
    return { realm_domains: await domains.list(context.scope) }
  },
})
