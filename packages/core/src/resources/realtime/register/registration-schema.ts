import { Type, type TObject } from 'typebox'

import type { Snapshot } from '../../../resource-definition/snapshot.js'

/** The keys of every response of `POST /register`. */
export const registrationKeys = {
  queue_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Null for spectators, who get no events.',
  }),
  last_event_id: Type.Optional(Type.Integer()),
  zulip_version: Type.String(),
  zulip_merge_base: Type.String(),
  zulip_feature_level: Type.Integer(),
}

/** The schema of the response of `POST /register`: it has no keys besides its own and those of the snapshots. */
export function registrationSchema(snapshots: readonly Snapshot[]): TObject {
  const keys = snapshots.flatMap((snapshot) => Object.entries(snapshot.keys))
  const optional = keys.map(([name, schema]) => [name, Type.Optional(schema)] as const)
  return Type.Object({ ...registrationKeys, ...Object.fromEntries(optional) })
}
