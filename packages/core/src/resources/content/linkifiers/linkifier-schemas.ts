import { Type, type Static } from 'typebox'

/** A pattern whose matches in messages and topics are converted to links. */
export const Linkifier = Type.Object(
  {
    id: Type.Integer(),
    pattern: Type.String({ description: 'RE2 syntax with named groups.' }),
    url_template: Type.String({
      description: 'RFC 6570; the variables are the names of the groups.',
    }),
  },
  { additionalProperties: false },
)
export type Linkifier = Static<typeof Linkifier>
