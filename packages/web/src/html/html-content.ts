import { noChange } from 'lit'
import { Directive, directive, type ElementPart } from 'lit/directive.js'

import type { Session } from '../session/session.js'
import { allowedHtml } from './allowed-html.js'

class HtmlContent extends Directive {
  #text: string | undefined
  #words: readonly string[] | undefined

  override render(
    _text: string,
    _session: Session,
    _isActive: boolean,
    _words?: readonly string[],
  ): typeof noChange {
    return noChange
  }

  override update(
    { element }: ElementPart,
    [text, session, isActive, words]: Parameters<HtmlContent['render']>,
  ): typeof noChange {
    if (text !== this.#text || words !== this.#words) {
      this.#text = text
      this.#words = words
      // Nothing of it is painted or clickable outside of the element's box.
      if (element instanceof HTMLElement) element.style.contain = 'paint'
      element.replaceChildren(allowedHtml(text, session))
      if (words !== undefined || element.querySelector('.katex, pre, table') !== null) {
        import('../on-demand.js').then(
          ({ completeContent }) => completeContent(element, words),
          // Browsers show the MathML of formulas without it.
          () => {},
        )
      }
    }
    // A list has one place in the order of tabs: links and players are reached from the message in focus.
    for (const part of element.querySelectorAll<HTMLElement>('a, audio, video, button'))
      part.tabIndex = isActive ? 0 : -1
    return noChange
  }
}

/**
 * Shows the HTML of a message in the element, a block that clips it; it is parsed again only when
 * it changes, or the words that are marked in it.
 */
export const htmlContent = directive(HtmlContent)
