export {
  notificationReason,
  type NotificationReason,
  type NotifiedRecipient,
} from './notified-recipient.js'
