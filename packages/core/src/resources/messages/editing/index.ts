import { defineResource } from '../../../resource-definition/resource.js'
import { messagesDeleted, messagesUpdated } from './message-edit-events.js'
import {
  deleteMessage,
  deleteTopic,
  getMessageHistory,
  getReadReceipts,
  updateMessage,
} from './message-edit-operations.js'

export { messagesDeleted, messagesUpdated } from './message-edit-events.js'
export {
  MessageEditStepToken,
  type EditedMessage,
  type MessageEditStep,
  type StoredEdit,
} from './message-edit-steps.js'
export { MessageErasure } from './message-erasure.js'

export const messageEditing = defineResource({
  operations: [updateMessage, deleteMessage, deleteTopic, getMessageHistory, getReadReceipts],
  events: [messagesUpdated, messagesDeleted],
})
