import { Type, type Static } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { limits } from '../../../domain/limits.js'
import { Role } from '../../../domain/users/actor.js'

const defaultMinutes = 14_400
/** Ten years. */
const maxMinutes = 5_256_000
const maxGroups = 100
const maxWelcomeLength = 8000

/** An invitation that can still be accepted. */
export const Invite = Type.Object(
  {
    id: Type.Integer(),
    invited_by_user_id: Type.Integer(),
    invited: Type.Integer({ description: 'UNIX seconds; of the newest mail.' }),
    expiry_date: Type.Union([Type.Integer(), Type.Null()], {
      description: 'UNIX seconds; null if it never expires.',
    }),
    invited_as: Bounded.role(),
    email: Type.Optional(Type.String({ description: 'Absent for a reusable link.' })),
    notify_referrer_on_join: Type.Boolean(),
    link_url: Type.Optional(
      Type.String({
        description:
          'Only for a reusable link. Absent if it is encrypted under a secret that the server does not have.',
      }),
    ),
    is_multiuse: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type Invite = Static<typeof Invite>

/** The parameters that invitations by e-mail and reusable links share. */
export const offerParameters = {
  invite_expires_in_minutes: Type.Union(
    [Bounded.integer({ minimum: 1, maximum: maxMinutes }), Type.Null()],
    {
      default: defaultMinutes,
      description: 'The minutes after which it expires; null for never.',
    },
  ),
  invite_as: Bounded.role({
    invalid: 'listed',
    default: Role.member,
    description:
      'The role of the new users: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. At most the own one.',
  }),
  group_ids: Bounded.ids({
    maxItems: maxGroups,
    default: [],
    description: 'The user groups to which new users are added.',
  }),
  include_realm_default_subscriptions: Type.Boolean({
    default: false,
    description: 'Whether new users are also subscribed to the default channels.',
  }),
  welcome_message_custom_text: Type.Optional(
    Type.Union([Type.String({ maxLength: maxWelcomeLength }), Type.Null()], {
      contentKind: 'organization.welcome',
      description:
        "Markdown of the Welcome Bot's message to new users; empty for none. Only of administrators; by default the organization's own text.",
    }),
  ),
} as const

/** The channels to which new users are subscribed. */
export const channelIds = (options: { readonly default?: readonly number[] } = {}) =>
  Bounded.ids({
    maxItems: limits.maxChannelsPerRequest,
    description: 'The channels to which new users are subscribed.',
    ...options,
  })
