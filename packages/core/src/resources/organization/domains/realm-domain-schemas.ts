import { Type, type Static } from 'typebox'

/** An allowed domain for email addresses of the organization's users. */
export const RealmDomain = Type.Object(
  { domain: Type.String({ description: 'Lower-case.' }), allow_subdomains: Type.Boolean() },
  { additionalProperties: false },
)
export type RealmDomain = Static<typeof RealmDomain>
