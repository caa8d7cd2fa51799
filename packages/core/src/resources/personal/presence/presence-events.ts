import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

const Status = Type.Union([Type.Literal('active'), Type.Literal('idle')])

/** When a user was last online, in UNIX seconds. */
export const ModernPresence = Type.Object({
  active_timestamp: Type.Integer({ description: 'When the user was last active.' }),
  idle_timestamp: Type.Integer({ description: 'When a client of the user was last connected.' }),
})
export type ModernPresence = Static<typeof ModernPresence>

const Aggregated = Type.Object({
  client: Type.String(),
  status: Status,
  timestamp: Type.Integer({ description: 'UNIX seconds.' }),
})

export const WebsitePresence = Type.Object({
  ...Aggregated.properties,
  pushable: Type.Boolean(),
})
export type WebsitePresence = Static<typeof WebsitePresence>

/** The same for older clients, which expect an entry for each client program. */
export const LegacyPresence = Type.Object({ aggregated: Aggregated, website: WebsitePresence })
export type LegacyPresence = Static<typeof LegacyPresence>

export const Presences = Type.Union([
  Type.Record(Type.String(), ModernPresence),
  Type.Record(Type.String(), LegacyPresence),
])
export type Presences =
  | Readonly<Record<string, ModernPresence>>
  | Readonly<Record<string, LegacyPresence>>

/** The presence of one user as another user sees it. */
export const SinglePresence = Type.Object({
  aggregated: Type.Object({
    status: Type.Union([Type.Literal('active'), Type.Literal('idle'), Type.Literal('offline')]),
    timestamp: Type.Integer(),
  }),
  website: Type.Object({ status: Status, timestamp: Type.Integer() }),
})
export type SinglePresence = Static<typeof SinglePresence>

/** A user's new presence in all formats that clients use. */
const PresenceNews = Type.Object({
  user_id: Type.Integer(),
  email: Type.String({ description: 'The address shown to all users.' }),
  server_timestamp: Type.Number({ description: 'UNIX seconds with a fraction.' }),
  modern: ModernPresence,
  website: WebsitePresence,
})
export type PresenceNews = Static<typeof PresenceNews>

export const presenceChanged = defineEvent<PresenceNews>({
  type: 'presence',
  decidesNothing: true,
  summary:
    'A user came online after being away, or became visible or invisible. Sent to all active users who can access the user; coming online is only sent in organizations of at most 100 users.',
  payload: Type.Object({
    presences: Type.Optional(
      Type.Record(Type.String(), ModernPresence, {
        description: 'By user id. Only for clients with `simplified_presence_events`.',
      }),
    ),
    user_id: Type.Optional(Type.Integer()),
    email: Type.Optional(Type.String({ description: 'Absent with `slim_presence`.' })),
    server_timestamp: Type.Optional(Type.Number()),
    presence: Type.Optional(Type.Object({ website: WebsitePresence })),
  }),
  ephemeral: PresenceNews,
  variant({ capabilities, slimPresence }) {
    if (capabilities.simplified_presence_events === true) return 'simplified'
    return slimPresence ? 'slim' : 'legacy'
  },
  render({ user_id, email, server_timestamp, modern, website }, { capabilities, slimPresence }) {
    const type = 'presence'
    if (capabilities.simplified_presence_events === true) {
      return [{ type, presences: { [String(user_id)]: modern } }]
    }
    const common = { user_id, server_timestamp, presence: { website } }
    return [slimPresence ? { type, ...common } : { type, ...common, email }]
  },
})
