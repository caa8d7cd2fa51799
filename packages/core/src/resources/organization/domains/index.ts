import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { normalizeDomain } from './domain-name.js'
import { domainAdded, domainChanged, domainRemoved, RealmDomain } from './realm-domain-events.js'
import { RealmDomainService } from './realm-domain-service.js'
import { realmDomains as table } from './realm-domains-table.js'

export { EmailDomains } from './email-domains.js'

const getRealmDomains = defineOperation({
  id: 'get-realm-domains',
  summary: 'List the allowed email domains.',
  method: 'GET',
  path: '/realm/domains',
  access: 'user',
  params: {},
  response: Type.Object({ domains: Type.Array(RealmDomain) }),
  errors: [],
  service: RealmDomainService,
  async handle(domains, { actor }) {
    return { domains: await domains.listFor(actor) }
  },
})

const createRealmDomain = defineOperation({
  id: 'create-realm-domain',
  summary: 'Add an allowed email domain.',
  method: 'POST',
  path: '/realm/domains',
  access: 'owner',
  params: { domain: Bounded.name(), allow_subdomains: Type.Boolean() },
  response: Type.Object({
    new_domain: Type.Tuple([Type.Integer(), Type.String()], {
      description: 'The id and the domain.',
    }),
  }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: RealmDomainService,
  async handle(domains, { actor, params }) {
    const { id, domain } = await domains.add(actor, params.domain, params.allow_subdomains)
    return { new_domain: [id, domain] satisfies [number, string] }
  },
})

const patchRealmDomain = defineCommand({
  id: 'patch-realm-domain',
  summary: 'Allow or disallow the subdomains of an allowed email domain.',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  access: 'owner',
  params: { domain: Bounded.name(), allow_subdomains: Type.Boolean() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: RealmDomainService,
  handle: (domains, { actor, params }) =>
    domains.change(actor, params.domain, params.allow_subdomains),
})

const deleteRealmDomain = defineCommand({
  id: 'delete-realm-domain',
  summary: 'Remove an allowed email domain.',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  access: 'owner',
  params: { domain: Bounded.name() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: RealmDomainService,
  handle: (domains, { actor, params }) => domains.remove(actor, params.domain),
})

const realmDomainSnapshot = defineSnapshot({
  keys: { realm_domains: Type.Array(RealmDomain) },
  fetchType: 'realm_domains',
  service: RealmDomainService,
  async load(domains, context) {
    return { realm_domains: await domains.list(context.scope) }
  },
})

const FileRealmDomain = Type.Object(
  {
    id: Type.Optional(FileId),
    domain: Type.String(),
    allow_subdomains: Type.Optional(Type.Boolean()),
  },
  closed,
)

const realmDomainFile = defineFileSection({
  key: 'realm_domains',
  summary: 'The email domains allowed for users if `emails_restricted_to_domains` is set.',
  item: FileRealmDomain,
  rowsOf: table,
  rows: () => (item) => ({
    ...(item.id === undefined ? {} : { id: item.id }),
    domain: normalizeDomain(item.domain),
    allow_subdomains: item.allow_subdomains ?? false,
  }),
  async check(items, check) {
    const domain = check.once()
    for await (const { place, item } of items) {
      const normalized = check.requireRule(`${place}/domain`, () => normalizeDomain(item.domain))
      if (normalized !== undefined) domain(`${place}/domain`, normalized)
    }
  },
})

export const realmDomains = defineResource({
  operations: [getRealmDomains, createRealmDomain, patchRealmDomain, deleteRealmDomain],
  events: [domainAdded, domainChanged, domainRemoved],
  snapshot: realmDomainSnapshot,
  fileSection: realmDomainFile,
})
