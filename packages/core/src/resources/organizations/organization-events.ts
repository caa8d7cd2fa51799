import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'

export const realmDeactivated = defineEvent<{ realm_id: number }>({
  type: 'realm',
  op: 'deactivated',
  summary: 'The organization was closed; every further request is refused. Sent to all users.',
  payload: Type.Object({ realm_id: Type.Integer() }),
})
