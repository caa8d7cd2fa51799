export { unreadChanges } from './unread-changes.js'
export { UnreadMessageRepository } from './unread-message-repository.js'
export { UnreadCounts } from './unread-counts.js'
export type {
  UnreadChannel,
  UnreadConversation,
  UnreadMessage,
  UnreadOptions,
  UnreadPerson,
  UserUnread,
} from './user-unread.js'
