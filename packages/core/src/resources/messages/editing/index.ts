export { ContentEdit } from './content-edit.js'
export { messagesDeleted, messagesUpdated } from './message-edit-events.js'
export {
  deleteMessage,
  deleteTopic,
  getMessageHistory,
  getReadReceipts,
  updateMessage,
} from './message-edit-operations.js'
export {
  MessageEditStepsToken,
  type EditedMessage,
  type MessageEditStep,
} from './message-edit-steps.js'
export { MessageErasure } from './message-erasure.js'
