import './conversation/edit.js'
import './widget/widget.js'

/** What is not part of the first view: it is loaded after that, or when it is used before. */
export { browseChannels } from './channels/browse.js'
export { actInDialog, showHistory } from './conversation/message-dialogs.js'
export { pickEmoji } from './emoji/picker.js'
export { startLaterParts } from './chat/later-parts.js'
export { newMessage } from './people/new-message.js'
export { showUser } from './people/user-card.js'
export { LinkKeys } from './sidebar/link-keys.js'
export { showPictures } from './pictures/show-pictures.js'
export { ask } from './view/ask.js'
