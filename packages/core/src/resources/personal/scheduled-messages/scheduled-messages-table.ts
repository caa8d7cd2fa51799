import {
  boolean,
  id,
  longText,
  seconds,
  shortJson,
  string,
  text,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { limits } from '../../../domain/limits.js'

export const scheduledMessages = defineTable('scheduled_messages', {
  columns: {
    id: id().exported(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    /** Null for direct messages. */
    channel_id: id('channels').orNull().exported(),
    /** The participants of a direct message without its sender, ascending. */
    user_ids: shortJson<number[]>()
      .withUsers({
        erasure: 'kept',
        because: "in others' scheduled messages, which will fail",
      })
      .exported(),
    topic: string(limits.maxTopicLength).exported(),
    content: text().exported(),
    rendered_content: longText(),
    deliver_at_seconds: seconds().exported(),
    read_by_sender: boolean(),
    client: string(limits.maxClientNameLength),
    /** When it is due; null once it was sent or has failed. */
    due_at_seconds: seconds().orNull(),
    /** Why sending it failed. */
    failure: string(500).orNull().exported(),
    sent_message_id: id().orNull().exported(),
  },
  index: [
    { name: 'scheduled_own', columns: ['organization_id', 'user_id', 'deliver_at_seconds'] },
    { name: 'scheduled_due', columns: ['due_at_seconds'] },
  ],
  archive: {},
  exports: { scheduled_message: 'user_id' },
})
export type ScheduledMessageRow = RowOf<typeof scheduledMessages>
