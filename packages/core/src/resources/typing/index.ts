export { editTyping, typing } from './typing-events.js'
export { setTypingStatus, setTypingStatusForMessageEdit } from './typing-operations.js'
