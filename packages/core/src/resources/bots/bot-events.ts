import { Type } from 'typebox'

import { defineEvent } from '../../events/event.js'
import { ManagedBot } from './bot-schemas.js'

export const botAdded = defineEvent<{ bot: ManagedBot }>({
  type: 'realm_bot',
  op: 'add',
  summary:
    "A bot was created, or given to another owner. Sent to its owner and, if new, to the organization's human administrators. " +
    'Also sent to who becomes one, for each bot of others.',
  payload: Type.Object({ bot: ManagedBot }),
})

export const botDeleted = defineEvent<{ bot: { user_id: number } }>({
  type: 'realm_bot',
  op: 'delete',
  summary:
    'A bot was given to another owner. Sent to the previous one, unless an administrator. ' +
    'Also sent to who ceases to be one, for each bot of others.',
  payload: Type.Object({
    bot: Type.Object({ user_id: Type.Integer() }, { additionalProperties: false }),
  }),
})

/** The kinds of event about bots that no other noun sends. */
export const botEvents = [botAdded.definition, botDeleted.definition] as const
