import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { ManagedBot } from './bot-schemas.js'

export const botAdded = defineEvent({
  type: 'realm_bot',
  op: 'add',
  hasCredentials: true,
  summary:
    'Sent to the users who begin to manage a bot: because it was created or given to another ' +
    'owner, or because a role has changed. Administrators and the owner of a bot manage it, ' +
    'unless it has more permissions than they have.',
  payload: Type.Object({ bot: ManagedBot }),
})

export const botDeleted = defineEvent({
  type: 'realm_bot',
  op: 'delete',
  summary:
    'Sent to the users who no longer manage a bot: because it was given to another owner, or ' +
    'because a role has changed.',
  payload: Type.Object({
    bot: Type.Object({ user_id: Type.Integer() }, { additionalProperties: false }),
  }),
})
