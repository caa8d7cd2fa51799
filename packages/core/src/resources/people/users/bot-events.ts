import { Type, type Static } from 'typebox'

import { defineEvent } from '../../../events/event.js'

const closed = { additionalProperties: false } as const

/** The service of an outgoing webhook bot. */
export const BotService = Type.Object(
  {
    base_url: Type.String(),
    interface: Type.Integer({ description: '1: our own format; 2: that of Slack.' }),
    token: Type.String({
      description: 'Authenticates calls to the service. Empty unless the recipient owns the bot.',
    }),
  },
  closed,
)
export type BotService = Static<typeof BotService>

const ChannelName = Type.Optional(Type.Union([Type.String(), Type.Null()]))

const BotChange = Type.Object(
  {
    user_id: Type.Integer(),
    api_key: Type.Optional(Type.String({ description: 'Sent to the owner only.' })),
    is_active: Type.Optional(Type.Boolean()),
    full_name: Type.Optional(Type.String()),
    owner_id: Type.Optional(Type.Integer()),
    avatar_url: Type.Optional(Type.String()),
    default_sending_stream: ChannelName,
    default_events_register_stream: ChannelName,
    default_all_public_streams: Type.Optional(Type.Boolean()),
    services: Type.Optional(Type.Array(BotService)),
  },
  closed,
)

export const botUpdated = defineEvent({
  type: 'realm_bot',
  op: 'update',
  hasCredentials: true,
  summary:
    'A bot changed. Sent to the users who manage it; only to its owner if it uses a private channel, ' +
    'and if a secret was replaced.',
  payload: Type.Object({ bot: BotChange }),
})
