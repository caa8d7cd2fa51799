import { Type, type Static } from 'typebox'

/** A pattern that becomes a link wherever it matches in messages and topics. */
export const Linkifier = Type.Object(
  {
    id: Type.Integer(),
    pattern: Type.String({ description: 'RE2 syntax with named groups.' }),
    url_template: Type.String({ description: 'RFC 6570, with the names of the groups.' }),
  },
  { additionalProperties: false },
)
export type Linkifier = Static<typeof Linkifier>
