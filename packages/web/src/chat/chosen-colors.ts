import { followState } from '../session/follow-state.js'
import type { ParleyChat } from './parley-chat.js'

/** Uses the light or dark colors that the user has chosen, unless the page sets a theme. */
export function useChosenColors(chat: ParleyChat): void {
  let scheme = ''
  followState(chat, ({ me }) => me.user_settings.color_scheme)
  chat.addController({
    hostUpdated() {
      // 2 is dark, 3 is light.
      const number = chat.session?.state.me.user_settings.color_scheme ?? 1
      const chosen = chat.hasAttribute('theme') ? '' : (['dark', 'light'][number - 2] ?? '')
      // A style of the page stays if the user has chosen nothing.
      if (chosen !== scheme) scheme = chat.style.colorScheme = chosen
    },
  })
}
