import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { renderTopicLinks, type TopicLink } from '../../../markdown/index.js'
import { LinkifierIndex } from './linkifier-index.js'

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
