import { boolean, id, integer, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

/** The properties that bots have in addition to those of people. */
export const botDetails = defineTable('bot_details', {
  columns: {
    id: id(),
    user_id: user({ erasure: 'kept', because: 'belongs to a bot' }),
    default_sending_channel_id: id('channels').orNull(),
    default_events_channel_id: id('channels').orNull(),
    default_all_public_channels: boolean(),
    /** Null unless it is an outgoing webhook bot. */
    service_base_url: string(2000).orNull(),
    service_interface: integer().orNull(),
    /** Encrypted under the data key. */
    service_token_sealed: string(200).orNull().notArchived('a secret: an import makes a new one'),
  },
  unique: [['organization_id', 'user_id']],
  archive: {},
})
export type BotDetailsRow = RowOf<typeof botDetails>
