import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'

export const defaultChannelsChanged = defineEvent<{ readonly default_streams: readonly number[] }>({
  type: 'default_streams',
  summary:
    'The channels that new users get have changed. Sent to all active users but guests. ' +
    'Also sent to who becomes a guest, who learns of none, and to who ceases to be one.',
  payload: Type.Object({ default_streams: Type.Array(Type.Integer()) }),
})
