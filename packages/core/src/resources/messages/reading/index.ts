import { defineResource } from '../../../resource-definition/resource.js'
import { checkMessagesMatchNarrow, getMessage, getMessages } from './message-reading-operations.js'
import { messageSnapshot } from './message-snapshot.js'

export { MessageFetch, type RangeRequest, type FetchedRange } from './message-fetch.js'
export { AnchorParameter, NarrowParameter } from './message-reading-operations.js'

export const messageReading = defineResource({
  operations: [getMessages, getMessage, checkMessagesMatchNarrow],
  snapshot: messageSnapshot,
})
