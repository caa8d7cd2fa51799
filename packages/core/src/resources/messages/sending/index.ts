import { defineResource } from '../../../resource-definition/resource.js'
import { messageSent } from './message-events.js'
import { sendMessage } from './message-operations.js'

export { messageSent } from './message-events.js'
export { SystemBotMessages, type SystemBotDraft } from './system-bot-messages.js'
export { Mentions } from './mentions.js'
export { draftOf, isHumanClient, type MessageRequest } from './message-draft.js'
export { MessageHooks } from './message-hooks.js'
export { MessagePreparation } from './message-preparation.js'
export { OutsideMessages } from './outside-messages.js'
export { LocalIds } from './local-ids.js'
export { ContentWrites } from './content-writes.js'
export { DirectRecipients } from './direct-recipients.js'
export { DueMessages } from './due-messages.js'
export { MessageSending, type PreparedMessages } from './message-sending.js'
export { MessageSentStepToken, type MessageSentStep } from './message-sent-steps.js'
export type { PreparedMessage, StagedMessage } from './message-stages.js'

export const messageSending = defineResource({
  operations: [sendMessage],
  events: [messageSent],
})
