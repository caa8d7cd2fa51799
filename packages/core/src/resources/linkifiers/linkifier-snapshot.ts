import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'
import { LinkifierService } from './linkifier-service.js'

/** `realm_linkifiers`; empty for clients that do not know templates. */
@perServer()
export class LinkifierSnapshot implements SnapshotSection {
  constructor(@inject(LinkifierService) private readonly linkifiers: LinkifierService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm_linkifiers')) return {}
    const knowsTemplates = context.queue.capabilities.linkifier_url_template === true
    return { realm_linkifiers: knowsTemplates ? await this.linkifiers.list(context.scope) : [] }
  }
}
