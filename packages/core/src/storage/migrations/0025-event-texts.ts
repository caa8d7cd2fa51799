import type { Migration } from './migration.js'

/**
 * The followers of all public channels are fixed with each event, and events are indexed by the
 * message whose text they contain, so that it can be removed.
 */
export const eventTexts: Migration = {
  name: '0025-event-texts',
  up(context) {
    const events = context.table('events')
    context.schema.alterTable(context.table('organizations'), (t) => {
      t.integer('member_audience_id').unsigned().nullable()
    })
    context.schema.alterTable(events, (t) => {
      t.bigInteger('message_id').nullable()
      t.integer('follower_audience_id').unsigned().nullable()
      t.integer('withdrawn_audience_id').unsigned().nullable()
    })
    // Earlier events have no followers: these clients register again, and miss nothing.
    context.raw(
      `DELETE FROM ${context.table('event_queues')} WHERE options LIKE '%"allPublicStreams":true%'`,
    )
    context.raw(
      `UPDATE ${events} SET message_id = CASE kind
         WHEN 'message' THEN JSON_EXTRACT(data, '$.message.id')
         ELSE JSON_EXTRACT(data, '$.message_id') END
       WHERE kind IN ('message', 'update_message', 'submessage')`,
    )
    context.schema.alterTable(events, (t) => {
      t.index(['organization_id', 'message_id'], context.table('events_message'))
    })
  },
}
