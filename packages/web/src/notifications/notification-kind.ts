import { foldTopic, type ChatState, type Message } from '@parley/client'

/** How the user wants to be notified of a message. */
export interface NotificationKind {
  readonly isShown: boolean
  readonly isHeard: boolean
}

const nothing: NotificationKind = { isShown: false, isHeard: false }
const topicPolicy = { muted: 1, unmuted: 2, followed: 3 } as const

/** Whether the settings of the user ask for a notification of a message. */
export function notificationKind(message: Message, state: ChatState): NotificationKind {
  const { sender_id, stream_id, flags, type } = message
  const { me, mutedUsers, channels, topicPolicies } = state
  const settings = me.user_settings
  if (sender_id === me.user_id || mutedUsers.has(sender_id)) return nothing
  if (type !== 'stream' || flags.includes('mentioned') || flags.includes('has_alert_word')) {
    return { isShown: settings.enable_desktop_notifications, isHeard: settings.enable_sounds }
  }
  const subscription = channels.get(stream_id ?? 0)?.subscription
  if (subscription === undefined) return nothing
  const policy = topicPolicies.get(stream_id ?? 0)?.get(foldTopic(message.subject))
  const isFollowed = policy === topicPolicy.followed
  const isUnmuted = isFollowed || policy === topicPolicy.unmuted
  if (policy === topicPolicy.muted || (subscription.is_muted && !isUnmuted)) return nothing
  const isForAll =
    flags.some((flag) => flag.endsWith('wildcard_mentioned')) &&
    ((subscription.wildcard_mentions_notify ?? settings.wildcard_mentions_notify) ||
      (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify))
  return {
    isShown:
      (isForAll && settings.enable_desktop_notifications) ||
      (subscription.desktop_notifications ?? settings.enable_stream_desktop_notifications) ||
      (isFollowed && settings.enable_followed_topic_desktop_notifications),
    isHeard:
      (isForAll && settings.enable_sounds) ||
      (subscription.audible_notifications ?? settings.enable_stream_audible_notifications) ||
      (isFollowed && settings.enable_followed_topic_audible_notifications),
  }
}
