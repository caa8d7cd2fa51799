import { Type, type Static } from 'typebox'

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
