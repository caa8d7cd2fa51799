import type { ParleyChat } from './parley-chat.js'

/** Loads what nobody needs before the chat is shown: shortcuts, notifications, and drafts of other devices. */
export function loadLaterParts(chat: ParleyChat): void {
  let isAsked = false
  chat.addController({
    hostUpdated() {
      if (isAsked || chat.session?.state.isRegistered !== true) return
      isAsked = true
      import('../on-demand.js').then(
        ({ startLaterParts }) => startLaterParts(chat),
        // The chat works without them.
        () => {},
      )
    },
  })
}
