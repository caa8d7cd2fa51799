export { markAllAsRead, markStreamAsRead, markTopicAsRead } from './mark-as-read-operations.js'
export { messageFlagsAdded, messageFlagsRemoved } from './message-flag-events.js'
export { updateMessageFlags, updateMessageFlagsForNarrow } from './message-flag-operations.js'
export { MessageFlagSnapshot, messageFlagKeys } from './message-flag-snapshot.js'
