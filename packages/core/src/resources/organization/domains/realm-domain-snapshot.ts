import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { RealmDomain } from './realm-domain-schemas.js'
import { RealmDomainService } from './realm-domain-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const realmDomainKeys = { realm_domains: Type.Array(RealmDomain) }

@perServer()
export class RealmDomainSection implements SnapshotSection {
  constructor(@inject(RealmDomainService) private readonly domains: RealmDomainService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm_domains')) return {}
    return { realm_domains: await this.domains.list(context.scope) }
  }
}
