import type { MessageListState } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import type { Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'

/** What is said in the place of messages: why there are none, or that they are loading. */
export function listNote(
  state: MessageListState,
  place: Place,
  session: Session,
  again: () => void,
): TemplateResult | typeof nothing {
  if (state.error !== undefined) {
    return html`<div class="note" role="alert">
      ${texts.loadFailed}
      <button class="plain" @click=${again}>${texts.tryAgain}</button>
    </div>`
  }
  if (state.messages.length > 0) return nothing
  // It was removed, or made private, or the link leads to one of others.
  if ('channelId' in place && !session.state.channels.has(place.channelId)) {
    return html`<div class="note">${texts.noChannel}</div>`
  }
  if (state.isLoading !== undefined) return html`<div class="note">${texts.loading}</div>`
  return html`<div class="note">${place.kind === 'search' ? texts.nothingFound : texts.empty}</div>`
}
