import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'
import type { UserObject } from './user-view.js'

export const userAdded = defineEvent<{ person: UserObject }>({
  type: 'realm_user',
  op: 'add',
  summary: 'A user or bot was created. Sent to all active users, the new one included.',
  payload: Type.Object({ person: Type.Object({}, { additionalProperties: true }) }),
})

export const userUpdated = defineEvent<{ person: { user_id: number } & Record<string, unknown> }>({
  type: 'realm_user',
  op: 'update',
  summary: 'Something about a user changed. Sent to the users who can access them.',
  payload: Type.Object({ person: Type.Object({}, { additionalProperties: true }) }),
})
