import { ApiError, type MessageListState } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { narrowOf, type Place } from '../place.js'
import { searchReader } from '../search/search.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { tell } from '../view/part-events.js'
import { reasonOf } from '../view/reason.js'
import type { View } from '../view/view.js'

/** The text in the place of messages: why there are none, or that they are loading. */
export function listNote(
  state: MessageListState,
  place: Place,
  session: Session,
  again: () => void,
): TemplateResult | typeof nothing {
  const { error } = state
  const problem = problemOf(place, session)
  if (problem !== undefined) return html`<div class="note" role="alert">${problem}</div>`
  if (place.kind === 'search' && error instanceof ApiError && error.code === 'BAD_NARROW') {
    return html`<div class="note" role="alert">${error.message}<br />${texts.searchAsText}</div>`
  }
  if (error !== undefined) {
    return html`<div class="note" role="alert">
      ${texts.loadFailed} ${reasonOf(error)}
      <button class="plain" @click=${again}>${texts.tryAgain}</button>
    </div>`
  }
  if (state.messages.length > 0) return nothing
  if (session.isVisitor && !isForVisitors(place, session)) {
    return html`<div class="note">${texts.notForVisitors}</div>`
  }
  if (state.isLoading !== undefined) return html`<div class="note">${texts.loading}</div>`
  return html`<div class="note">${place.kind === 'search' ? texts.nothingFound : texts.empty}</div>`
}

/** The text before it is known which messages a place has. */
export function waitNote(isConnected: boolean): TemplateResult {
  return html`<div class="scroller">
    <p class="note">${isConnected ? texts.loading : texts.connecting}</p>
  </div>`
}

/** Why a search cannot be made. */
function problemOf(place: Place, session: Session): string | undefined {
  return place.kind === 'search' ? searchReader.read?.(place.query, session).problem : undefined
}

/** Whether visitors may ask for messages of such places. */
function isForVisitors(place: Place, session: Session): boolean {
  return narrowOf(place, session).every(({ operator }) => !['is', 'dm'].includes(operator))
}

/**
 * Whether it is known which messages a place has, and whether they may be requested.
 *
 * @param view is updated when more is known.
 */
export function isKnown(place: Place, { isVisitor, state }: Session, view: View): boolean {
  if (place.kind === 'search' && searchReader.read === undefined) {
    import('../on-demand.js').then(
      () => view.requestUpdate(),
      (error: unknown) => tell(view, 'parley-problem', texts.failed(reasonOf(error))),
    )
    return false
  }
  // The store knows whether a message is of a direct conversation when it knows the own user.
  return state.isRegistered || !(isVisitor || ['direct', 'search'].includes(place.kind))
}

/** Whether the server is asked for messages: visitors do not ask for those they cannot read. */
export function mayLoad(place: Place, session: Session): boolean {
  if (problemOf(place, session) !== undefined) return false
  if (!session.isVisitor) return true
  const isHidden = 'channelId' in place && !session.state.channels.has(place.channelId)
  return isForVisitors(place, session) && !isHidden
}
