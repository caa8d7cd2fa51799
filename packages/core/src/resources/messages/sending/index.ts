import { defineResource } from '../../../resource-definition/resource.js'
import { messageSent } from './message-events.js'
import { sendMessage } from './message-operations.js'

export { BotMessages, type BotMessage } from './bot-messages.js'
export { Mentions } from './mentions.js'
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

export const messageSending = defineResource({
  operations: [sendMessage],
  events: [messageSent],
})
