import { MessageFlag } from '../../../domain/messages/message-flags.js'
import type { UserSettings } from '../../../domain/users/user-settings.js'

/** The reason for a notification of a message. */
export type NotificationReason =
  | 'direct_message'
  | 'mentioned'
  | 'topic_wildcard_mentioned'
  | 'stream_wildcard_mentioned'
  | 'followed_topic'
  | 'stream'

/** The state of a recipient with regard to a message. */
export interface NotifiedRecipient {
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
        readonly emailNotifications: boolean | null
        readonly wildcardMentionsNotify: boolean | null
      }
    | undefined
  /** 0 inherits, 1 muted, 2 unmuted, 3 followed. */
  readonly topicPolicy: number
}

/** Which reasons a recipient's settings admit, for one kind of notification. */
interface AdmittedReasons {
  /** Direct messages and mentions. */
  readonly addressed: boolean
  readonly followedTopic: boolean
  /** The setting of all channels, which that of a subscription replaces. */
  readonly channel: boolean
  readonly subscription: boolean | null | undefined
}

/** The most important of the admitted reasons to notify the recipient; undefined if there is none. */
export function notificationReason(
  recipient: NotifiedRecipient,
  admitted: AdmittedReasons,
): NotificationReason | undefined {
  const { flags, isDirect, subscription } = recipient
  if ((flags & MessageFlag.read) !== 0) return undefined
  if (admitted.addressed) {
    if (isDirect) return 'direct_message'
    if ((flags & MessageFlag.mentioned) !== 0) return 'mentioned'
    if (heedsWildcards(recipient)) {
      if ((flags & MessageFlag.topic_wildcard_mentioned) !== 0) return 'topic_wildcard_mentioned'
      if ((flags & MessageFlag.stream_wildcard_mentioned) !== 0) return 'stream_wildcard_mentioned'
    }
  }
  if (isDirect || subscription === undefined) return undefined
  if (isFollowed(recipient) && admitted.followedTopic) return 'followed_topic'
  return (admitted.subscription ?? admitted.channel) && !isMuted(recipient) ? 'stream' : undefined
}

/** Whether a mention of all users of the channel or topic concerns the recipient. */
function heedsWildcards(recipient: NotifiedRecipient): boolean {
  const { settings, subscription } = recipient
  if (isFollowed(recipient) && settings.enable_followed_topic_wildcard_mentions_notify) return true
  const wants = subscription?.wildcardMentionsNotify ?? settings.wildcard_mentions_notify
  return wants && !isMuted(recipient)
}

/** Whether the recipient follows the topic. */
function isFollowed({ topicPolicy }: NotifiedRecipient): boolean {
  return topicPolicy === 3
}

/** Whether the recipient has muted the topic, or the channel and not unmuted the topic. */
function isMuted({ subscription, topicPolicy }: NotifiedRecipient): boolean {
  if (topicPolicy === 1) return true
  return topicPolicy !== 2 && subscription?.isMuted === true
}
