import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { Linkifier } from './linkifier-schemas.js'
import { LinkifierService } from './linkifier-service.js'

/** The keys that the snapshot adds to the response of `POST /register`. */
export const linkifierKeys = { realm_linkifiers: Type.Array(Linkifier) }

/** `realm_linkifiers`; empty for clients that do not support URL templates. */
@perServer()
export class LinkifierSnapshot implements SnapshotSection {
  constructor(@inject(LinkifierService) private readonly linkifiers: LinkifierService) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('realm_linkifiers')) return {}
    const supportsTemplates = context.queue.capabilities.linkifier_url_template === true
    return { realm_linkifiers: supportsTemplates ? await this.linkifiers.list(context.scope) : [] }
  }
}
