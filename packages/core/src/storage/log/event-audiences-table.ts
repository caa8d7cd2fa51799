import { id, longText, seconds, string } from '../tables/column.js'
import { defineTable, type RowOf } from '../tables/table.js'

export const eventAudiences = defineTable('event_audiences', {
  columns: {
    id: id(),
    /** SHA-256 of the sorted ids, or of the difference; hexadecimal. */
    member_hash: string(64),
    /** The whole list from which this one differs; null if this is a whole list. */
    base_id: id().orNull(),
    /** Ascending ids, comma-separated: all, or those that `base_id` does not contain. */
    user_ids: longText().withUsers({
      erasure: 'kept',
      because: 'ids only, removed with the event log',
    }),
    /** Likewise: those that only `base_id` contains; null if this is a whole list. */
    removed_user_ids: longText()
      .withUsers({ erasure: 'kept', because: 'ids only, removed with the event log' })
      .orNull(),
    interned_at_seconds: seconds(),
  },
  unique: [['organization_id', 'member_hash']],
  index: [['base_id'], ['interned_at_seconds']],
  archive: 'the event log begins anew; clients register again',
})
export type EventAudienceRow = RowOf<typeof eventAudiences>
