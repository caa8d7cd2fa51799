import { MessageFlag } from '../../../domain/message-flags.js'
import type { UserSettings } from '../../../domain/user-settings.js'
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
 * Whether a reason that was found when the message was sent still holds: the user may have changed
 * the settings, or an edit may have removed the mention.
 */
export function stillHolds(
  reason: NotificationReason,
  flags: number,
  settings: UserSettings,
): boolean {
  if ((flags & MessageFlag.read) !== 0) return false
  switch (reason) {
    case 'stream':
      return true
    case 'followed_topic':
      return settings.enable_followed_topic_email_notifications
    case 'direct_message':
      return settings.enable_offline_email_notifications
    default:
      return settings.enable_offline_email_notifications && (flags & MessageFlag[reason]) !== 0
  }
}
