import { Type } from 'typebox'

import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { normalizeDomain } from './domain-name.js'
import { realmDomains } from './realm-domains-table.js'

const FileRealmDomain = Type.Object(
  {
    id: Type.Optional(FileId),
    domain: Type.String(),
    allow_subdomains: Type.Optional(Type.Boolean()),
  },
  closed,
)

export const realmDomainFile = defineFileSection({
  key: 'realm_domains',
  summary: 'The email domains allowed for users if `emails_restricted_to_domains` is set.',
  item: FileRealmDomain,
  rowsOf: realmDomains,
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
