import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

/** A pattern whose matches in messages and topics are converted to links. */
export const Linkifier = Type.Object(
  {
    id: Type.Integer(),
    pattern: Type.String({ description: 'RE2 syntax with named groups.' }),
    url_template: Type.String({
      description: 'RFC 6570; the variables are the names of the groups.',
    }),
  },
  { additionalProperties: false },
)
export type Linkifier = Static<typeof Linkifier>

export const linkifiersChanged = defineEvent({
  type: 'realm_linkifiers',
  summary:
    'The linkifiers changed; contains all of them in order. Sent to clients of all active users that support URL templates.',
  payload: Type.Object({ realm_linkifiers: Type.Array(Linkifier) }),
  accepts: (_, queue) => queue.capabilities.linkifier_url_template === true,
})
