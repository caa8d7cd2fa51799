import type { ParleyUnreadBadge } from './badge/parley-unread-badge.js'
import type { ParleyChat } from './chat/parley-chat.js'

export { ParleyChat } from './chat/parley-chat.js'
export type { ChosenMessageAction, MessageAction } from './chat/message-action.js'
export type { UserAction } from './foot/foot.js'
export { ParleyUnreadBadge } from './badge/parley-unread-badge.js'
export type { Place, Target } from './place.js'

declare global {
  interface HTMLElementTagNameMap {
    'parley-chat': ParleyChat
    'parley-unread-badge': ParleyUnreadBadge
  }
}
