import { MessageFlag } from '../../../domain/messages/message-flags.js'
import {
  heedsWildcards,
  isFollowed,
  isMuted,
  type NotificationReason,
  type NotifiedRecipient,
} from '../notified-recipients/index.js'

/** The most important reason to send the recipient a mail; undefined if there is none. */
export function mailTrigger(recipient: NotifiedRecipient): NotificationReason | undefined {
  const { flags, settings, isDirect, isOnline } = recipient
  if ((flags & MessageFlag.read) !== 0 || isOnline) return undefined
  if (settings.enable_offline_email_notifications) {
    if (isDirect) return 'direct_message'
    if ((flags & MessageFlag.mentioned) !== 0) return 'mentioned'
    if (heedsWildcards(recipient)) {
      if ((flags & MessageFlag.topic_wildcard_mentioned) !== 0) return 'topic_wildcard_mentioned'
      if ((flags & MessageFlag.stream_wildcard_mentioned) !== 0) return 'stream_wildcard_mentioned'
    }
  }
  return isDirect ? undefined : channelTrigger(recipient)
}

function channelTrigger(recipient: NotifiedRecipient): NotificationReason | undefined {
  const { settings, subscription } = recipient
  if (subscription === undefined) return undefined
  if (isFollowed(recipient) && settings.enable_followed_topic_email_notifications) {
    return 'followed_topic'
  }
  const wants = subscription.emailNotifications ?? settings.enable_stream_email_notifications
  return wants && !isMuted(recipient) ? 'stream' : undefined
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
