import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import {
  id,
  integer,
  json,
  longText,
  seconds,
  string,
  text,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { limits } from '../../../domain/limits.js'

export const messages = defineTable('messages', {
  columns: {
    id: id().exported(),
    sender_id: user({
      erasure: 'anonymized',
      because: "others may rely on them; deleted with `messages: 'delete'`",
    }),
    recipient_id: id('recipients').exported(),
    /** Null for direct messages. */
    channel_id: id('channels').orNull().exported(),
    topic: string(limits.maxTopicLength).exported(),
    topic_key: string(180),
    content: text().exported(),
    rendered_content: longText(),
    sent_at_seconds: seconds().exported(),
    client: string(limits.maxClientNameLength).exported(),
    /** Bits: 1 link, 2 image, 4 attachment. */
    content_traits: integer({ minimum: 0 }).defaultsTo(0),
    /** The items as sent to clients, newest first; null if the message never changed. */
    edit_history: json<readonly EditHistoryItem[]>().orNull().exported(),
    last_edited_at_seconds: seconds().orNull().exported(),
    last_moved_at_seconds: seconds().orNull(),
    /** Null if the message is in the channel that it was sent to. */
    changed_channel_at_seconds: seconds()
      .orNull()
      .notArchived('says which user messages were not written'),
    /** Flags of all receivers, because everybody is mentioned; mask of `MessageFlag`. */
    shared_flags: integer().defaultsTo(0).notArchived('in the user messages'),
  },
  index: [
    { name: 'messages_topic', columns: ['channel_id', 'topic_key', 'id'] },
    { name: 'messages_channel', columns: ['channel_id', 'id'] },
    { name: 'messages_recipient', columns: ['recipient_id', 'id'] },
    { name: 'messages_sender', columns: ['sender_id', 'id'] },
    { name: 'messages_organization', columns: ['organization_id', 'id'] },
    // Counts messages by channel and time without reading them.
    { name: 'messages_traffic', columns: ['organization_id', 'sent_at_seconds', 'channel_id'] },
  ],
  archive: {},
  exports: { message: 'sender_id' },
})
export type MessageRow = RowOf<typeof messages>
