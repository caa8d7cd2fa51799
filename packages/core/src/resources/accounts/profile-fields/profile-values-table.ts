import { id, longText, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

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
