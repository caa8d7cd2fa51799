export {
  heedsWildcards,
  isFollowed,
  isMuted,
  type NotificationReason,
  type NotifiedRecipient,
} from './notified-recipient.js'
