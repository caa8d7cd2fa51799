import type { MessageListState } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { narrowOf, type Place } from '../place.js'
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
  if (session.isVisitor && !isForVisitors(place)) {
    return html`<div class="note">${texts.notForVisitors}</div>`
  }
  if (state.isLoading !== undefined) return html`<div class="note">${texts.loading}</div>`
  return html`<div class="note">${place.kind === 'search' ? texts.nothingFound : texts.empty}</div>`
}

/** Whether visitors may ask for messages of such places. */
function isForVisitors(place: Place): boolean {
  return narrowOf(place, 0).every(({ operator }) => !['is', 'dm'].includes(operator))
}

/** Whether the server is asked for messages: visitors do not ask for what they cannot read. */
export function mayLoad(place: Place, { isVisitor }: Session): boolean {
  return !isVisitor || isForVisitors(place)
}
