import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import {
  bigInteger,
  boolean,
  id,
  integer,
  json,
  seconds,
  string,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const eventQueues = defineTable('event_queues', {
  columns: {
    id: string(80),
    organization_id: id(),
    user_id: user({ erasure: 'deleted', because: 'belongs to a session or a device' }),
    options: json<Omit<EventQueueOptions, 'idleTimeoutSeconds'>>(),
    /** Whether the queue receives new messages. */
    takes_messages: boolean().defaultsTo(true),
    idle_timeout_seconds: integer(),
    created_seq: bigInteger(),
    last_seen_at_seconds: seconds(),
    acknowledged_id: bigInteger(),
    /** There is nothing for the queue between this event id and the end of entry `clean_to_seq`. */
    clean_from_id: bigInteger(),
    clean_to_seq: bigInteger(),
  },
  index: [
    ['organization_id', 'last_seen_at_seconds'],
    { name: 'event_queues_user', columns: ['organization_id', 'user_id'] },
  ],
  archive: 'the event log begins anew; clients register again',
  exports: {
    connection: { of: 'user_id', columns: ['last_seen_at_seconds', 'idle_timeout_seconds'] },
  },
})
export type EventQueueRow = RowOf<typeof eventQueues>
