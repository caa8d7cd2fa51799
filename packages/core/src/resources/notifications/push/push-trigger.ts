import { MessageFlag } from '../../../domain/messages/message-flags.js'
import {
  heedsWildcards,
  isFollowed,
  isMuted,
  type NotificationReason,
  type NotifiedRecipient,
} from '../notified-recipients/index.js'

/** The most important reason to notify the recipient's devices; undefined if there is none. */
export function pushTrigger(recipient: NotifiedRecipient): NotificationReason | undefined {
  const { flags, settings, isDirect, isOnline } = recipient
  if ((flags & MessageFlag.read) !== 0) return undefined
  if (isOnline && !settings.enable_online_push_notifications) return undefined
  if (!settings.enable_offline_push_notifications && !settings.enable_online_push_notifications) {
    return undefined
  }
  if (settings.enable_offline_push_notifications) {
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
  if (isFollowed(recipient) && settings.enable_followed_topic_push_notifications) {
    return 'followed_topic'
  }
  const wants = subscription.pushNotifications ?? settings.enable_stream_push_notifications
  return wants && !isMuted(recipient) ? 'stream' : undefined
}
