export { ParleyChat } from './chat/parley-chat.js'
export { ParleyUnreadBadge } from './badge/parley-unread-badge.js'
export type { Place, Target } from './place.js'
