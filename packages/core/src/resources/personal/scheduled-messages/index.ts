export { ScheduledMessageDelivery } from './scheduled-message-delivery.js'
export {
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
} from './scheduled-message-events.js'
export { scheduledMessageFile } from './scheduled-message-file-section.js'
export {
  createScheduledMessage,
  deleteScheduledMessage,
  getScheduledMessages,
  updateScheduledMessage,
} from './scheduled-message-operations.js'
export { ScheduledMessageSnapshot, scheduledMessageKeys } from './scheduled-message-snapshot.js'
