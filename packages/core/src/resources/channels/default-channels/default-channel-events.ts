import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

export const defaultChannelsChanged = defineEvent({
  type: 'default_streams',
  summary:
    'The default channels of new users have changed. Sent to all active users except guests. ' +
    'Also sent to users who become guests, with an empty list, and to users who cease to be ' +
    'guests.',
  payload: Type.Object({ default_streams: Type.Array(Type.Integer()) }),
})
