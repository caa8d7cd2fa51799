import {
  boolean,
  count,
  id,
  integer,
  longText,
  seconds,
  shortJson,
  string,
  text,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import type { ChannelPermission } from '../../../domain/organizations/organization-settings.js'
import { limits } from '../../../domain/limits.js'

export type ChannelSettings = Record<ChannelPermission, number>

export const channels = defineTable('channels', {
  columns: {
    id: id().exported(),
    /** The application's id of the channel, if it belongs to a thing of the application. */
    external_id: string(190).orNull(),
    recipient_id: id('recipients'),
    name: string(limits.maxChannelNameLength).exported(),
    name_key: string(180),
    description: text().exported(),
    rendered_description: longText(),
    created_at_seconds: seconds().exported(),
    creator_id: user({ erasure: 'kept', because: 'the item belongs to the organization' }).orNull(),
    is_private: boolean(),
    /** Whether new subscribers may read messages that were sent before. */
    is_history_shared: boolean(),
    is_web_public: boolean(),
    is_archived: boolean().defaultsTo(false),
    is_default: boolean().defaultsTo(false),
    is_recently_active: boolean().defaultsTo(true),
    /** Null inherits from the organization; -1 keeps messages forever. */
    message_retention_days: integer().orNull(),
    topics_policy: string(30).defaultsTo('inherit'),
    folder_id: id('channel_folders').orNull(),
    first_message_id: id().orNull(),
    /** The interned list of the users who receive its messages; null if it must be rebuilt. */
    audience_id: id().orNull().notArchived('a cache'),
    /**
     * Grows with each change of the row, except `audience_id`, and of the users who receive its
     * messages.
     */
    version: count().defaultsTo(0).notArchived('belongs to a cache'),
    /** The group id in each permission setting. */
    settings: shortJson<ChannelSettings>('group ids'),
  },
  unique: [
    ['organization_id', 'name_key'],
    ['organization_id', 'external_id'],
  ],
  index: [
    { name: 'channels_folder', columns: ['folder_id'] },
    { name: 'channels_created', columns: ['organization_id', 'created_at_seconds'] },
  ],
  archive: {},
  exports: { created_channel: 'creator_id' },
})
export type ChannelRow = RowOf<typeof channels>
