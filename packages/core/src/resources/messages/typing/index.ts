export { typingEvents } from './typing-events.js'
export { typingOperations } from './typing-operations.js'
