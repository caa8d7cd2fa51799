import {
  boolean,
  count,
  id,
  integer,
  optionalJson,
  string,
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
