export { BotMessages, type BotMessage } from './bot-messages.js'
export { Mentions } from './mentions.js'
export {
  isHumanClient,
  prepareMessage,
  type MessageDraft,
  type PreparedMessage,
} from './message-draft.js'
export { messageSent } from './message-events.js'
export { sendMessage } from './message-operations.js'
export {
  MessageSentStepsToken,
  type MessageSentStep,
  type NewlySent,
} from './message-sent-steps.js'
export { MessageService } from './message-service.js'
