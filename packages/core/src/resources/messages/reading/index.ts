export { MessageFetch, type RangeRequest, type FetchedRange } from './message-fetch.js'
export {
  AnchorParameter,
  checkMessagesMatchNarrow,
  getMessage,
  getMessages,
  NarrowParameter,
  NarrowTerm,
} from './message-reading-operations.js'
export { MessageSnapshot, messageKeys } from './message-snapshot.js'
