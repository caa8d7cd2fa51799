export { MessageAudiences } from './message-audiences.js'
export { messageColumns } from './message-access-repository.js'
export type { MessageRow } from './messages-table.js'
export { MessageReceiverRepository } from './message-receiver-repository.js'
export { MessageAccess, type VisibleMessage } from './message-access.js'
export { PostingPermission } from './posting-permission.js'
export {
  isHistoryProtected,
  mayRead,
  mayReadWholeHistory,
  readableSql,
  type SqlPart,
} from './reading-rule.js'
