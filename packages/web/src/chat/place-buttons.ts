import { html, nothing, type TemplateResult } from 'lit'

import type { Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { icon } from '../view/icons.js'
import { reasonOf } from '../view/reason.js'

/** The buttons for the channel that is shown, beside its name. */
export function placeButtons(
  session: Session | undefined,
  place: Place | undefined,
  showTopics: (() => void) | undefined,
): TemplateResult | typeof nothing {
  if (session === undefined || place === undefined || !('channelId' in place)) return nothing
  const { channelId } = place
  const name = session.state.channels.get(channelId)?.name
  const open = async ({ currentTarget: button }: Event): Promise<void> => {
    if (!(button instanceof HTMLElement)) return
    try {
      await (await import('../channel-settings/index.js')).openChannel(button, session, channelId)
    } catch (error) {
      const detail = texts.failed(reasonOf(error))
      button.dispatchEvent(new CustomEvent('parley-problem', { detail, bubbles: true }))
    }
  }
  return html`${
    name === undefined
      ? nothing
      : html`<button
          class="quiet"
          aria-label=${texts.aboutChannel(name)}
          title=${texts.aboutChannel(name)}
          aria-haspopup="dialog"
          @click=${open}
        >
          ${icon('settings2')}
        </button>`
  }${
    showTopics === undefined
      ? nothing
      : html`<button class="plain" @click=${showTopics}>${texts.topics}</button>`
  }`
}
