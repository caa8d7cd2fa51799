import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { BotService } from '../../people/users/index.js'

const orNull = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** The channels that a bot uses by default. */
export const botDefaults = {
  default_sending_stream: orNull(Type.String({ description: "A channel's name." })),
  default_events_register_stream: orNull(Type.String({ description: "A channel's name." })),
  default_all_public_streams: Type.Boolean(),
}

/** A bot as the users who manage it see it. */
export const ManagedBot = Type.Object(
  {
    user_id: Type.Integer(),
    email: Type.String(),
    full_name: Type.String(),
    bot_type: Type.Integer({
      description: '1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded.',
    }),
    is_active: Type.Boolean(),
    owner_id: orNull(Type.Integer()),
    api_key: Type.String({ description: 'Empty unless the recipient owns the bot.' }),
    avatar_url: Type.String(),
    ...botDefaults,
    services: Type.Array(BotService),
  },
  { additionalProperties: false },
)
export type ManagedBot = Static<typeof ManagedBot>

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
