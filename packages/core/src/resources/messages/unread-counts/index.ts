export { UnreadCounts } from './unread-counts.js'
export type {
  UnreadChannel,
  UnreadConversation,
  UnreadMessage,
  UnreadOptions,
  UnreadPerson,
  UserUnread,
} from './user-unread.js'
