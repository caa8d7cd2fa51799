import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { UserStatus } from './user-status-schemas.js'

export const userStatusChanged = defineEvent({
  type: 'user_status',
  summary:
    'A user changed their status. Contains only what was changed. Sent to all active users who can access the user. Also sent when a user with a status becomes accessible to guests, or is reactivated.',
  payload: Type.Object({ user_id: Type.Integer(), ...UserStatus.properties }),
})
