import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { Linkifier } from './linkifier-schemas.js'
import { LinkifierService } from './linkifier-service.js'

/** `realm_linkifiers`; empty for clients that do not support URL templates. */
export const linkifierSnapshot = defineSnapshot({
  keys: { realm_linkifiers: Type.Array(Linkifier) },
  fetchType: 'realm_linkifiers',
  service: LinkifierService,
  async load(linkifiers, context) {
    const supportsTemplates = context.queue.capabilities.linkifier_url_template === true
    return { realm_linkifiers: supportsTemplates ? await linkifiers.list(context.scope) : [] }
  },
})
