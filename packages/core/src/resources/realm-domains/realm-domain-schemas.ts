import { Type, type Static } from 'typebox'

/** A domain that addresses of the organization may be of. */
export const RealmDomain = Type.Object(
  { domain: Type.String({ description: 'In lower case.' }), allow_subdomains: Type.Boolean() },
  { additionalProperties: false },
)
export type RealmDomain = Static<typeof RealmDomain>
