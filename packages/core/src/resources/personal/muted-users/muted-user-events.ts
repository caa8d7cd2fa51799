import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

export const mutedUsersChanged = defineEvent({
  type: 'muted_users',
  summary:
    "The user muted or unmuted another user. Sent to the user's own clients, with the whole list.",
  payload: Type.Object({
    muted_users: Type.Array(Type.Object({ id: Type.Integer(), timestamp: Type.Integer() })),
  }),
})
