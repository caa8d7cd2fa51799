import { MessageFlag } from '../../../domain/message-flags.js'
import type { UserSettings } from '../../../domain/user-settings.js'

/** The reason for a notification of a message. */
export type PushTrigger =
  | 'direct_message'
  | 'mentioned'
  | 'topic_wildcard_mentioned'
  | 'stream_wildcard_mentioned'
  | 'followed_topic'
  | 'stream'

/** The state of a recipient with regard to a message. */
export interface PushRecipient {
  /** Mask of `MessageFlag`. */
  readonly flags: number
  readonly settings: UserSettings
  readonly isDirect: boolean
  /** Whether the recipient is using a client that shows new messages. */
  readonly isOnline: boolean
  /** The recipient's subscription to the message's channel; undefined without one. */
  readonly subscription:
    | {
        readonly isMuted: boolean
        /** Null inherits the user's setting. */
        readonly pushNotifications: boolean | null
        readonly wildcardMentionsNotify: boolean | null
      }
    | undefined
  /** 0 inherits, 1 muted, 2 unmuted, 3 followed. */
  readonly topicPolicy: number
}

/** The most important reason to notify the recipient; undefined if there is no reason. */
export function pushTrigger(recipient: PushRecipient): PushTrigger | undefined {
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

function heedsWildcards(recipient: PushRecipient): boolean {
  const { settings, subscription } = recipient
  if (isFollowed(recipient) && settings.enable_followed_topic_wildcard_mentions_notify) return true
  const wants = subscription?.wildcardMentionsNotify ?? settings.wildcard_mentions_notify
  return wants && !isMuted(recipient)
}

function channelTrigger(recipient: PushRecipient): PushTrigger | undefined {
  const { settings, subscription } = recipient
  if (subscription === undefined) return undefined
  if (isFollowed(recipient) && settings.enable_followed_topic_push_notifications) {
    return 'followed_topic'
  }
  const wants = subscription.pushNotifications ?? settings.enable_stream_push_notifications
  return wants && !isMuted(recipient) ? 'stream' : undefined
}

function isFollowed({ topicPolicy }: PushRecipient): boolean {
  return topicPolicy === 3
}

function isMuted({ subscription, topicPolicy }: PushRecipient): boolean {
  if (topicPolicy === 1) return true
  return topicPolicy !== 2 && subscription?.isMuted === true
}
