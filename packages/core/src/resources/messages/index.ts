export { BotMessages, type BotMessage } from './bot-messages.js'
export { ConversationRepository } from './conversation-repository.js'
export { MessageDecorationsToken, type MessageDecoration } from './message-decoration.js'
export { MessageFetch, type RangeRequest, type FetchedRange } from './message-fetch.js'
export { messageSent } from './message-events.js'
export { sendMessage } from './message-operations.js'
export {
  AnchorParameter,
  checkMessagesMatchNarrow,
  getMessage,
  getMessages,
  NarrowParameter,
  NarrowTerm,
} from './message-reading-operations.js'
export { MessageLoadRepository, type LoadedRecord } from './message-load-repository.js'
export { flagsExpression, MessageRepository, type RecordFlags } from './message-repository.js'
export { EditHistoryItem, MessageObject, type MessageParts } from './message-schemas.js'
export {
  isHumanClient,
  prepareMessage,
  type MessageDraft,
  type PreparedMessage,
} from './message-draft.js'
export {
  MessageSentStepsToken,
  type MessageSentStep,
  type NewlySent,
} from './message-sent-steps.js'
export { MessageService } from './message-service.js'
export { MessageSnapshot, messageKeys } from './message-snapshot.js'
export { MessageView } from './message-view.js'
export { PostingPermission } from './posting-permission.js'
export { Mentions } from './mentions.js'
export { visibleEditHistory } from './edit-history-view.js'
