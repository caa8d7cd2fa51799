import { Type, type Static } from 'typebox'

import { Bounded } from '../../domain/bounded-schemas.js'

/** The number of each type of field, by the name under which clients learn of it. */
export const profileFieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const

/** Something that an organization asks of its users' profiles. */
export const ProfileField = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Integer({
      description:
        '1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, ' +
        '7 external account, 8 pronouns.',
    }),
    order: Type.Integer({ description: 'Ascending in the order in which fields are shown.' }),
    name: Type.String(),
    hint: Type.String(),
    field_data: Type.String({ description: 'JSON for the types 3 and 7, empty for the rest.' }),
    display_in_profile_summary: Type.Optional(
      Type.Literal(true, { description: 'Only where it is so.' }),
    ),
    required: Type.Boolean(),
    editable_by_user: Type.Boolean({
      description: 'Whether others than administrators set their own value.',
    }),
  },
  { additionalProperties: false },
)
export type ProfileField = Static<typeof ProfileField>

/** How long a value may be, in characters of JSON. */
const maxValueLength = 100_000

/** A value as a client sets it. */
export const ProfileValueItem = Type.Object(
  {
    id: Bounded.id({ description: 'Of the field.' }),
    // The field tells what is wrong with it, by its name.
    value: Bounded.json(maxValueLength, {
      description: 'A text, or a list of user ids for fields of users.',
    }),
  },
  { maxJsonLength: 2 * maxValueLength },
)
