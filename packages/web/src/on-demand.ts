import './chat/parley-chat.js'
import './conversation/edit.js'
import './conversation/toolbar.js'
import './view/presence-dot.js'
import './search/search-terms.js'

/**
 * The code that is loaded after the first view, or when it is used before: it works without a
 * connection. Each dialog is loaded when it is opened. Such modules import this one, so that the
 * bundler puts the modules that they share with it, and with the first view, into these two files.
 */
export { Completion } from './composer/completion.js'
export { actOnMessage } from './conversation/act-on-message.js'
export { startLaterParts } from './chat/later-parts.js'
export { completeContent } from './html/complete-content.js'
export { channelFolders } from './sidebar/channel-folders.js'
export { LinkKeys } from './sidebar/link-keys.js'
export { ask } from './view/ask.js'
export { copyText } from './view/copy.js'
