import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

export const invitesChanged = defineEvent({
  type: 'invites_changed',
  summary:
    'An invitation was created, sent again, revoked or used. Sent to administrators and to the user who created it.',
  payload: Type.Object({}),
})
