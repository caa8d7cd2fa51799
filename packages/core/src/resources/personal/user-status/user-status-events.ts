import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

const ReactionType = Type.Union([
  Type.Literal('unicode_emoji'),
  Type.Literal('realm_emoji'),
  Type.Literal('service_extra_emoji'),
  Type.Literal('zulip_extra_emoji'),
])

/** A user's status; only contains the parts that are set. */
export const UserStatus = Type.Object({
  away: Type.Optional(
    Type.Boolean({ description: 'Deprecated: the opposite of the setting `presence_enabled`.' }),
  ),
  status_text: Type.Optional(Type.String()),
  emoji_name: Type.Optional(Type.String()),
  emoji_code: Type.Optional(Type.String()),
  reaction_type: Type.Optional(ReactionType),
})
export type UserStatus = Static<typeof UserStatus>

export const userStatusChanged = defineEvent({
  type: 'user_status',
  decidesNothing: true,
  summary:
    'A user changed their status. Contains only what was changed. Sent to all active users who can access the user. Also sent when a user with a status becomes accessible to guests, or is reactivated.',
  payload: Type.Object({ user_id: Type.Integer(), ...UserStatus.properties }),
})
