import type { ParleyChat } from '../chat/parley-chat.js'
import { shareDrafts } from './share-drafts.js'
import './foot.js'
import { Notices } from './notices.js'
import { addShortcuts } from './shortcuts.js'

/** Begins what is not part of the first view. */
export function startExtras(chat: ParleyChat): void {
  addShortcuts(chat)
  shareDrafts(chat)
  chat.addController(new Notices(chat))
}
