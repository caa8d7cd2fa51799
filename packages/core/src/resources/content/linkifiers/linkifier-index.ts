import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import {
  type CompiledLinkifiers,
  compileLinkifiers,
  renderTopicLinks,
  type TopicLink,
} from '../../../markdown/index.js'
import { type SharedValue, SharedValues } from '../../organization/organizations/index.js'
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

/** The `topic_links` of messages: the links that the linkifiers find in their topics. */
@perServer()
export class TopicLinks {
  constructor(@inject(LinkifierIndex) private readonly linkifiers: LinkifierIndex) {}

  /** The links of each of the topics. */
  async of(
    organizationId: number,
    topics: Iterable<string>,
  ): Promise<ReadonlyMap<string, TopicLink[]>> {
    const linkifiers = await this.linkifiers.of(organizationId)
    const links = new Map<string, TopicLink[]>()
    for (const topic of topics) {
      if (!links.has(topic)) links.set(topic, renderTopicLinks(topic, linkifiers))
    }
    return links
  }
}
