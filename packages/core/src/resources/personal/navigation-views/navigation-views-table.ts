import { boolean, id, string, text, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const navigationViews = defineTable('navigation_views', {
  columns: {
    id: id(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    fragment: text(),
    /** SHA-256 of the fragment, hexadecimal. */
    fragment_hash: string(64),
    /** Null for built-in views; otherwise unique among the views of the user. */
    name: string(200).orNull(),
    is_pinned: boolean(),
  },
  unique: [
    ['user_id', 'fragment_hash'],
    ['user_id', 'name'],
  ],
  archive: { of: 'user_id' },
  exports: {
    navigation_view: ['id', 'fragment', 'name', 'is_pinned'],
  },
})
export type NavigationViewRow = RowOf<typeof navigationViews>
