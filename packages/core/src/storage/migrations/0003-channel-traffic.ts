import type { Migration } from './migration.js'

/** Lets messages be counted by channel and time without reading them. */
export const channelTraffic: Migration = {
  name: '0003-channel-traffic',
  up(context) {
    const messages = context.table('messages')
    context.raw(
      `CREATE INDEX ${messages}_traffic ON ${messages} (organization_id, sent_at_seconds, channel_id)`,
    )
  },
}
