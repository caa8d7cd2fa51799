import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  inOrderOfIds,
  type FileSectionLoader,
} from '../file-sections/index.js'
import { normalizeDomain } from './domain-name.js'
import { RealmDomainRepository } from './realm-domain-repository.js'

const FileRealmDomain = Type.Object(
  {
    id: Type.Optional(FileId),
    domain: Type.String(),
    allow_subdomains: Type.Optional(Type.Boolean()),
  },
  closed,
)
type FileRealmDomain = Static<typeof FileRealmDomain>

/** Stores the domains of an organization file. */
@perServer()
class RealmDomainFileLoader implements FileSectionLoader<FileRealmDomain> {
  constructor(@inject(RealmDomainRepository) private readonly domains: RealmDomainRepository) {}

  async load(tx: Transaction, items: readonly FileRealmDomain[]): Promise<void> {
    const rows = inOrderOfIds(items).map((item) => ({
      ...(item.id === undefined ? {} : { id: item.id }),
      domain: normalizeDomain(item.domain),
      allow_subdomains: item.allow_subdomains ?? false,
    }))
    for (const chunk of chunksOf(rows)) await this.domains.insertMany(tx, chunk)
  }
}

export const realmDomainFile = defineFileSection({
  key: 'realm_domains',
  summary: 'The domains that addresses may be of where `emails_restricted_to_domains` is set.',
  item: FileRealmDomain,
  table: 'realm_domains',
  loader: RealmDomainFileLoader,
  async check(items, check) {
    const [id, domain] = [check.once(), check.once()]
    for await (const { place, item } of items) {
      if (item.id !== undefined) id(`${place}/id`, item.id)
      const normalized = check.requireRule(`${place}/domain`, () => normalizeDomain(item.domain))
      if (normalized !== undefined) domain(`${place}/domain`, normalized)
    }
  },
})
