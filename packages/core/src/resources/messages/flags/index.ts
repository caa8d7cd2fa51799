import { defineResource } from '../../../resource-definition/resource.js'
import { markAllAsRead, markStreamAsRead, markTopicAsRead } from './mark-as-read-operations.js'
import { messageFlagsAdded, messageFlagsRemoved } from './message-flag-events.js'
import { updateMessageFlags, updateMessageFlagsForNarrow } from './message-flag-operations.js'
import { messageFlagSnapshot } from './message-flag-snapshot.js'

export { messageFlagsAdded, messageFlagsRemoved } from './message-flag-events.js'
export { NewcomerHistory } from './newcomer-history.js'
export { LeftChannels } from './left-channels.js'
export { UnreadPlaceRepository, type UnreadPlace } from './unread-place-repository.js'

export const messageFlags = defineResource({
  operations: [
    updateMessageFlags,
    updateMessageFlagsForNarrow,
    markAllAsRead,
    markStreamAsRead,
    markTopicAsRead,
  ],
  events: [messageFlagsAdded, messageFlagsRemoved],
  snapshot: messageFlagSnapshot,
})
