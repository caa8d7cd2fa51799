import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { ObservedCache } from '../../../events/log/log-observer.js'
import { perServer } from '../../../kernel/per-server.js'
import { compileLinkifiers, type CompiledLinkifiers } from '../../../markdown/index.js'
import { Database } from '../../../storage/index.js'
import { linkifiersChanged } from './linkifier-events.js'
import { LinkifierRepository } from './linkifier-repository.js'

/** Caches the compiled linkifiers of each organization until they change. */
@perServer()
export class LinkifierIndex {
  readonly #compiled: ObservedCache<CompiledLinkifiers>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(LinkifierRepository) private readonly linkifiers: LinkifierRepository,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#compiled = new ObservedCache(
      logs,
      'linkifiers',
      async (organizationId) => {
        const rows = await this.linkifiers.list(this.database.read(organizationId))
        return compileLinkifiers(
          rows.map(({ pattern, url_template }) => ({ pattern, urlTemplate: url_template })),
        )
      },
      (kind) => kind === linkifiersChanged.definition.kind,
    )
  }

  async of(organizationId: number): Promise<CompiledLinkifiers> {
    return this.#compiled.get(organizationId)
  }
}
