import { id, integer, seconds, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { limits } from '../../../domain/limits.js'

/** A user's visibility policy for a topic. */
export const userTopics = defineTable('user_topics', {
  columns: {
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    channel_id: id('channels').exported(),
    /** In the spelling of the first insert. */
    topic: string(limits.maxTopicLength).exported(),
    topic_key: string(180),
    /** 1 muted, 2 unmuted, 3 followed; there are no rows for 0. */
    visibility_policy: integer({ minimum: 0 }).exported(),
    updated_at_seconds: seconds().exported(),
  },
  primary: ['user_id', 'channel_id', 'topic_key'],
  index: [['channel_id', 'topic_key']],
  archive: { of: 'channel_id', orderedBy: ['channel_id', 'topic_key', 'user_id'] },
  exports: { topic_policy: 'user_id' },
})
export type UserTopicRow = RowOf<typeof userTopics>
