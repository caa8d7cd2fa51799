import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineEvent } from '../../../events/event.js'

/** The number of each field type, by its name for clients. */
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

/** A custom field of user profiles. */
export const ProfileField = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Integer({
      description:
        '1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, ' +
        '7 external account, 8 pronouns.',
    }),
    order: Type.Integer({ description: 'Ascending in display order.' }),
    name: Type.String(),
    hint: Type.String(),
    field_data: Type.String({ description: 'JSON for the types 3 and 7, otherwise empty.' }),
    display_in_profile_summary: Type.Optional(
      Type.Literal(true, { description: 'Only present if true.' }),
    ),
    required: Type.Boolean(),
    editable_by_user: Type.Boolean({
      description: 'Whether users can set their own value. Administrators always can.',
    }),
  },
  { additionalProperties: false },
)
export type ProfileField = Static<typeof ProfileField>

/** Maximum length of a value, in characters of JSON. */
const maxValueLength = 100_000

/** A value in a client's request. */
export const ProfileValueItem = Type.Object(
  {
    id: Bounded.id({ description: 'Id of the field.' }),
    // The field's type decides what is valid; its error contains the field's name.
    value: Bounded.json(maxValueLength, {
      contentKind: 'profile.value',
      description: 'A text, or a list of user ids for fields of users.',
    }),
  },
  { maxJsonLength: 2 * maxValueLength },
)

export const profileFieldsChanged = defineEvent({
  type: 'custom_profile_fields',
  summary:
    'The custom profile fields changed. Contains all of them in order. Sent to all active users.',
  payload: Type.Object({ fields: Type.Array(ProfileField) }),
})
