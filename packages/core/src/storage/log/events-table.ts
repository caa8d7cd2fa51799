import { bigInteger, id, longText, seconds, string } from '../tables/column.js'
import { defineTable, type RowOf } from '../tables/table.js'

export const events = defineTable('events', {
  columns: {
    seq: bigInteger(),
    kind: string(60),
    audience_id: id().orNull(),
    /** The interned list of recipients by subscription to all public channels; null for none. */
    follower_audience_id: id().orNull(),
    /** The interned list of users from whom it was withdrawn; null for none. */
    withdrawn_audience_id: id().orNull(),
    /** The message whose text is in `data`. */
    message_id: bigInteger().orNull(),
    /** JSON of recipients and their fields, or null if the audience has all recipients. */
    recipients: longText().orNull(),
    /** JSON. */
    data: longText(),
    created_at_seconds: seconds(),
    /** In the first entry of a transaction whose commit may get no answer; see `CommitOutcomes`. */
    commit_mark: bigInteger().orNull().defaultsTo(null),
  },
  primary: ['organization_id', 'seq'],
  index: [{ name: 'events_message', columns: ['organization_id', 'message_id'] }],
  archive: 'the event log begins anew; clients register again',
})
export type EventRow = RowOf<typeof events>
