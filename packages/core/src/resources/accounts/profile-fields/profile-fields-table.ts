import {
  boolean,
  count,
  id,
  integer,
  longText,
  optionalJson,
  string,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** The options of a list by their keys, or the properties of an external account. */
export type ProfileFieldData = Readonly<Record<string, unknown>>

export const profileFields = defineTable('profile_fields', {
  columns: {
    id: id(),
    type: integer({ minimum: 1 }),
    name: string(40),
    hint: string(80),
    /** Empty except for lists of options and external accounts. */
    field_data: optionalJson<ProfileFieldData>(),
    /** Ascending in display order. */
    position: count(),
    is_in_summary: boolean(),
    is_required: boolean(),
    is_editable_by_user: boolean(),
  },
  unique: [['organization_id', 'name']],
  archive: {},
})
export type ProfileFieldRow = RowOf<typeof profileFields>

export const profileValues = defineTable('profile_values', {
  columns: {
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    field_id: id('profile_fields').exported(),
    /** As sent to clients: JSON for users, a key for lists of options. */
    value: longText().exported(),
    /** HTML; null for the types without Markdown. */
    rendered_value: longText().orNull(),
  },
  primary: ['user_id', 'field_id'],
  index: [['organization_id', 'user_id'], ['field_id']],
  archive: { of: 'field_id' },
  exports: { profile_value: 'user_id' },
})
export type ProfileValueRow = RowOf<typeof profileValues>
