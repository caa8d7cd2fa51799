export { ChannelAudience } from './channel-audience.js'
export { MessageAccess, type VisibleMessage } from './message-access.js'
export {
  isHistoryProtected,
  mayRead,
  mayReadWholeHistory,
  readableSql,
  type SqlPart,
} from './reading-rule.js'
export { type MessageRow } from './message-access-repository.js'
