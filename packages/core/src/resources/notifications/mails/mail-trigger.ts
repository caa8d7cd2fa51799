import {
  notificationReason,
  type NotificationReason,
  type NotifiedRecipient,
} from '../notified-recipients/index.js'

/** The most important reason to send the recipient a mail; undefined if there is none. */
export function mailTrigger(recipient: NotifiedRecipient): NotificationReason | undefined {
  const { settings, subscription, isOnline } = recipient
  if (isOnline) return undefined
  return notificationReason(recipient, {
    addressed: settings.enable_offline_email_notifications,
    followedTopic: settings.enable_followed_topic_email_notifications,
    channel: settings.enable_stream_email_notifications,
    subscription: subscription?.emailNotifications,
  })
}

/**
 * The reason to send a mail that was queued for another reason, or the same one, decided when the
 * mail is sent; undefined if there is none any more.
 */
export function remainingTrigger(
  queued: NotificationReason,
  recipient: NotifiedRecipient,
): NotificationReason | undefined {
  const trigger = mailTrigger(recipient)
  const wasInChannel = queued === 'followed_topic' || queued === 'stream'
  // A mention that was edited away may be why the user follows the topic.
  return trigger === 'followed_topic' && !wasInChannel ? undefined : trigger
}
