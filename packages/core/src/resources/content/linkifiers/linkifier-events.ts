import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { Linkifier } from './linkifier-schemas.js'

export const linkifiersChanged = defineEvent({
  type: 'realm_linkifiers',
  summary:
    'The linkifiers changed; contains all of them in order. Sent to clients of all active users that support URL templates.',
  payload: Type.Object({ realm_linkifiers: Type.Array(Linkifier) }),
  accepts: (_, queue) => queue.capabilities.linkifier_url_template === true,
})
