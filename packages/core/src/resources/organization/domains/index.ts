import { defineResource } from '../../../resource-definition/resource.js'
import { domainAdded, domainChanged, domainRemoved } from './realm-domain-events.js'
import { realmDomainFile } from './realm-domain-file-section.js'
import {
  createRealmDomain,
  deleteRealmDomain,
  getRealmDomains,
  patchRealmDomain,
} from './realm-domain-operations.js'
import { realmDomainSnapshot } from './realm-domain-snapshot.js'

export { EmailDomains } from './email-domains.js'

export const realmDomains = defineResource({
  operations: [getRealmDomains, createRealmDomain, patchRealmDomain, deleteRealmDomain],
  events: [domainAdded, domainChanged, domainRemoved],
  snapshot: realmDomainSnapshot,
  fileSection: realmDomainFile,
})
