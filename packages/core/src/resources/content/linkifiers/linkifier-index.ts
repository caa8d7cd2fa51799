import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { compileLinkifiers, type CompiledLinkifiers } from '../../../markdown/index.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'
import { linkifiersChanged } from './linkifier-events.js'
import { linkifiers } from './linkifiers-table.js'

/** Caches the compiled linkifiers of each organization until they change. */
@perServer()
export class LinkifierIndex {
  readonly #compiled: SharedValue<CompiledLinkifiers>

  constructor(@inject(SharedValues) shared: SharedValues) {
    this.#compiled = shared.define('linkifiers', {
      load: async (scope) => {
        const rows = await scope.rows(linkifiers).list({}, 'position', 'id')
        return compileLinkifiers(
          rows.map(({ pattern, url_template }) => ({ pattern, urlTemplate: url_template })),
        )
      },
      changedBy: [linkifiersChanged],
    })
  }

  async of(organizationId: number): Promise<CompiledLinkifiers> {
    return this.#compiled.of(organizationId)
  }
}
