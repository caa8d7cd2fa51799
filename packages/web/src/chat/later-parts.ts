import { shareDrafts } from '../drafts/share-drafts.js'
import '../foot/foot.js'
import { DesktopNotifications } from '../notifications/desktop-notifications.js'
import { addShortcuts } from '../shortcuts/shortcuts.js'
import { keepAboveKeyboard } from './keyboard-space.js'
import '../video-call/call-button.js'
import '../view/announcer.js'
import '../view/typing-line.js'
import type { ParleyChat } from './parley-chat.js'

/** Starts the parts of the chat that are not in the first view. */
export function startLaterParts(chat: ParleyChat): void {
  addShortcuts(chat)
  keepAboveKeyboard(chat)
  shareDrafts(chat)
  chat.addController(new DesktopNotifications(chat))
  // They begin with an update: the next one may be that of a message already.
  chat.requestUpdate()
}
