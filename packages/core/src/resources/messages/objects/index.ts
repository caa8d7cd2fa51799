export { ConversationRepository } from './conversation-repository.js'
export { displayRecipient } from './display-recipient.js'
export { visibleEditHistory } from './edit-history-view.js'
export { MessageDecorationToken, type MessageDecoration } from './message-decoration.js'
export { MessageLoadRepository, type NewUserMessage } from './message-load-repository.js'
export {
  flagsExpression,
  MessageRepository,
  type UserMessageFlags,
  type MessagePlace,
} from './message-repository.js'
export { MessageObject, type MessageParts, EventMessage } from './message-schemas.js'
export { newMessageRow } from './message-row.js'
export { MessageView, type MessageFormat } from './message-view.js'
