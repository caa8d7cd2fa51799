import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import type { MutedUser } from './muted-user-repository.js'

export const mutedUsersChanged = defineEvent<{ readonly muted_users: readonly MutedUser[] }>({
  type: 'muted_users',
  summary:
    "The user muted or unmuted another user. Sent to the user's own clients, with the whole list.",
  payload: Type.Object({
    muted_users: Type.Array(Type.Object({ id: Type.Integer(), timestamp: Type.Integer() })),
  }),
})
