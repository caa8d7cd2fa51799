import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

/** A web site that runs code of one language. */
export const Playground = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  pygments_language: Type.String(),
  url_template: Type.String({ description: 'RFC 6570 template; its only variable is `code`.' }),
})
export type Playground = Static<typeof Playground>

export const playgroundsChanged = defineEvent({
  type: 'realm_playgrounds',
  summary:
    'A code playground was added or removed. Contains the whole list. Sent to all active users.',
  payload: Type.Object({ realm_playgrounds: Type.Array(Playground) }),
})
