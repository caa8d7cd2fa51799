import type { Migration } from './migration.js'

/**
 * Lets the receivers of channels be listed and counted from an index alone: without the
 * organization in the index, each row would be looked up in the table too.
 */
export const channelReceivers: Migration = {
  name: '0020-channel-receivers',
  up(context) {
    const subscriptions = context.table('subscriptions')
    const onTable = context.dialect.name === 'mysql' ? ` ON ${subscriptions}` : ''
    context.raw(
      `CREATE INDEX ${subscriptions}_receivers
       ON ${subscriptions} (channel_id, is_active, is_user_active, user_id, organization_id)`,
    )
    context.raw(`DROP INDEX ${subscriptions}_channel${onTable}`)
  },
}
