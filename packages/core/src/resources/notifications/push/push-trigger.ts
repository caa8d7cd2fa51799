import {
  notificationReason,
  type NotificationReason,
  type NotifiedRecipient,
} from '../notified-recipients/index.js'

/** The most important reason to notify the recipient's devices; undefined if there is none. */
export function pushTrigger(recipient: NotifiedRecipient): NotificationReason | undefined {
  const { settings, subscription, isOnline } = recipient
  const { enable_offline_push_notifications: offline, enable_online_push_notifications: online } =
    settings
  if (isOnline ? !online : !offline && !online) return undefined
  return notificationReason(recipient, {
    addressed: offline,
    followedTopic: settings.enable_followed_topic_push_notifications,
    channel: settings.enable_stream_push_notifications,
    subscription: subscription?.pushNotifications,
  })
}
