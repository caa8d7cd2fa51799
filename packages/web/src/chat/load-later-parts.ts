import type { ParleyChat } from './parley-chat.js'

/**
 * Loads the parts that are not needed until the chat is shown: shortcuts, notifications, drafts of
 * other devices, and the buttons of messages.
 */
export function loadLaterParts(chat: ParleyChat): void {
  let isAsked = false
  chat.addController({
    hostUpdated() {
      const { session } = chat
      if (isAsked || session?.state.isRegistered !== true) return
      isAsked = true
      import('../on-demand.js').then(
        ({ startLaterParts }) => {
          if (!session.isVisitor) startLaterParts(chat)
        },
        // The chat works without them, until there is a connection again.
        () => (isAsked = false),
      )
    },
  })
}
