import { boolean, id, string, user } from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'

export const subscriptions = defineTable('subscriptions', {
  columns: {
    channel_id: id('channels').exported(),
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    is_active: boolean().exported(),
    /** Whether the user is active; duplicated here so that sending a message reads one index only. */
    is_user_active: boolean(),
    /** See `UnwrittenMessages`; null if user messages are written at once. */
    unwritten_after_message_id: id().orNull().notArchived('all user messages are in an archive'),
    /** `#rrggbb`, lower case. */
    color: string(7).exported(),
    is_muted: boolean().defaultsTo(false).exported(),
    pin_to_top: boolean().defaultsTo(false).exported(),
    /** Null inherits the user's setting; also the next four columns. */
    desktop_notifications: boolean().orNull().exported(),
    audible_notifications: boolean().orNull().exported(),
    push_notifications: boolean().orNull().exported(),
    email_notifications: boolean().orNull().exported(),
    wildcard_mentions_notify: boolean().orNull().exported(),
  },
  primary: ['user_id', 'channel_id'],
  index: [
    // Includes the organization, so that receivers are listed and counted from the index alone.
    {
      name: 'subscriptions_receivers',
      columns: ['channel_id', 'is_active', 'is_user_active', 'user_id', 'organization_id'],
    },
    // Finds the users for whom a message in a channel is written at once, because it notifies them.
    {
      name: 'subscriptions_notified',
      columns: [
        'channel_id',
        'is_active',
        'is_user_active',
        'unwritten_after_message_id',
        'user_id',
      ],
      whereNull: 'unwritten_after_message_id',
    },
  ],
  archive: { of: 'channel_id' },
  exports: { subscription: 'user_id' },
})
export type SubscriptionRow = RowOf<typeof subscriptions>
