import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { RealmDomain } from './realm-domain-schemas.js'
import { RealmDomainService } from './realm-domain-service.js'

export const getRealmDomains = defineOperation({
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

export const createRealmDomain = defineOperation({
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

export const patchRealmDomain = defineOperation({
  id: 'patch-realm-domain',
  summary: 'Allow or disallow the subdomains of an allowed email domain.',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  access: 'owner',
  params: { domain: Bounded.name(), allow_subdomains: Type.Boolean() },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: RealmDomainService,
  async handle(domains, { actor, params }) {
    await domains.change(actor, params.domain, params.allow_subdomains)
    return {}
  },
})

export const deleteRealmDomain = defineOperation({
  id: 'delete-realm-domain',
  summary: 'Remove an allowed email domain.',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  access: 'owner',
  params: { domain: Bounded.name() },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: RealmDomainService,
  async handle(domains, { actor, params }) {
    await domains.remove(actor, params.domain)
    return {}
  },
})
