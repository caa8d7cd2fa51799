import type { Migration } from './migration.js'

/** Index for counting messages by channel and time without reading them. */
export const channelTraffic: Migration = {
  name: '0003-channel-traffic',
  up(context) {
    const messages = context.table('messages')
    context.raw(
      `CREATE INDEX ${messages}_traffic ON ${messages} (organization_id, sent_at_seconds, channel_id)`,
    )
  },
}
