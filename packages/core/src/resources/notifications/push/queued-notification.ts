import type { NotificationReason } from '../notified-recipients/index.js'

/** The stored form of a notification; all other data is read when it is sent. */
export type QueuedNotification =
  | { readonly type: 'message'; readonly messageId: number; readonly trigger: NotificationReason }
  /** Ascending ids of messages whose notifications are removed. */
  | { readonly type: 'remove'; readonly messageIds: readonly number[] }
