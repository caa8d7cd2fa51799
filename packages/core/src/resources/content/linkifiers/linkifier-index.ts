import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { ObservedCache } from '../../../events/log/log-observer.js'
import { perServer } from '../../../kernel/per-server.js'
import { compileLinkifiers, type CompiledLinkifiers } from '../../../markdown/index.js'
import { Database } from '../../../storage/index.js'
import { linkifiersChanged } from './linkifier-events.js'
import { linkifiers } from './linkifiers-table.js'

/** Caches the compiled linkifiers of each organization until they change. */
@perServer()
export class LinkifierIndex {
  readonly #compiled: ObservedCache<CompiledLinkifiers>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    this.#compiled = new ObservedCache(
      logs,
      'linkifiers',
      async (organizationId) => {
        const rows = await this.database
          .read(organizationId)
          .rows(linkifiers)
          .list({}, 'position', 'id')
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
