import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'
import { UserStatus } from './user-status-schemas.js'

export const userStatusChanged = defineEvent<{ user_id: number } & UserStatus>({
  type: 'user_status',
  summary:
    'A user changed their status; has only what was given. Sent to all active users who may know ' +
    'of them. Also when a user with a status comes into sight of guests, or is active again.',
  payload: Type.Object({ user_id: Type.Integer(), ...UserStatus.properties }),
})

/** Every kind of event about users' statuses. */
export const userStatusEvents = [userStatusChanged.definition] as const
