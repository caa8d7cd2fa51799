import { boolean, id, string, text, user } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

export const navigationViews = defineTable('navigation_views', {
  columns: {
    id: id().exported(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    fragment: text().exported(),
    /** SHA-256 of the fragment, hexadecimal. */
    fragment_hash: string(64),
    /** Null for built-in views; otherwise unique among the views of the user. */
    name: string(200).orNull().exported(),
    is_pinned: boolean().exported(),
  },
  unique: [
    ['user_id', 'fragment_hash'],
    ['user_id', 'name'],
  ],
  archive: { of: 'user_id' },
  exports: { navigation_view: 'user_id' },
})
