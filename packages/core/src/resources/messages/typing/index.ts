import { defineResource } from '../../../resource-definition/resource.js'
import { editTyping, messageTyping } from './typing-events.js'
import { setTypingStatus, setTypingStatusForMessageEdit } from './typing-operations.js'

export const typing = defineResource({
  operations: [setTypingStatus, setTypingStatusForMessageEdit],
  events: [messageTyping.start, messageTyping.stop, editTyping.start, editTyping.stop],
})
