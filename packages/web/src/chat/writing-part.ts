import { html, type TemplateResult } from 'lit'

import '../composer/composer.js'
import type { Place, Target } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'

/** Where messages are written. Visitors have a button to log in there. */
export function writingPart(
  session: Session | undefined,
  place: Place,
  logIn: () => void,
): TemplateResult {
  if (session?.isVisitor !== true) {
    return html`<parley-typing .session=${session} .place=${place}></parley-typing>
      <parley-composer .session=${session} .place=${place}></parley-composer>`
  }
  return html`<div class="bar composer">
    <span class="hint title">${texts.visitor}</span>
    <button class="plain" @click=${() => session.client.retryNow()}>${texts.refresh}</button>
    <button class="main" @click=${logIn}>${texts.login}</button>
  </div>`
}

/** In the place of messages: why there are none. */
export function missingNote(target: Target | undefined): TemplateResult {
  const isChannel = target !== undefined && 'channelId' in target.place
  return html`<div class="scroller">
    <p class="note" role="status">${texts.notFound(!isChannel)}</p>
  </div>`
}
