import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { Playground } from './playground-schemas.js'

export const playgroundsChanged = defineEvent({
  type: 'realm_playgrounds',
  summary:
    'A code playground was added or removed. Contains the whole list. Sent to all active users.',
  payload: Type.Object({ realm_playgrounds: Type.Array(Playground) }),
})
