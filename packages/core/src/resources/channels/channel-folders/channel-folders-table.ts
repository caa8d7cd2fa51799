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
import { limits } from '../../../domain/limits.js'

export const channelFolders = defineTable('channel_folders', {
  columns: {
    id: id().exported(),
    name: string(limits.maxChannelFolderNameLength).exported(),
    /** Derived from `name` by the repository. */
    name_key: string(190),
    description: text().exported(),
    /** HTML. */
    rendered_description: longText(),
    /** Ascending in display order. */
    position: count(),
    creator_id: user({ erasure: 'kept', because: 'the item belongs to the organization' }).orNull(),
    created_at_seconds: seconds().exported(),
    is_archived: boolean(),
  },
  unique: [['organization_id', 'name_key']],
  archive: {},
  exports: { created_channel_folder: 'creator_id' },
})
export type ChannelFolderRow = RowOf<typeof channelFolders>
