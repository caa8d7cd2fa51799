export { messageFlagsAdded, messageFlagsRemoved } from './message-flag-events.js'
export { updateMessageFlags } from './message-flag-operations.js'
export { MessageFlagService } from './message-flag-service.js'
