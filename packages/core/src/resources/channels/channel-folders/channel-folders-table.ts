import {
  boolean,
  count,
  id,
  longText,
  seconds,
  string,
  text,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const channelFolders = defineTable('channel_folders', {
  columns: {
    id: id(),
    name: string(60),
    /** Derived from `name` by the repository. */
    name_key: string(190),
    description: text(),
    /** HTML. */
    rendered_description: longText(),
    /** Ascending in display order. */
    position: count(),
    creator_id: user({ erasure: 'kept', because: 'the item belongs to the organization' }).orNull(),
    created_at_seconds: seconds(),
    is_archived: boolean(),
  },
  unique: [['organization_id', 'name_key']],
  archive: {},
  exports: {
    created_channel_folder: {
      of: 'creator_id',
      columns: ['id', 'name', 'description', 'created_at_seconds'],
    },
  },
})
export type ChannelFolderRow = RowOf<typeof channelFolders>
