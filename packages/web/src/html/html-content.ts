import { noChange } from 'lit'
import { Directive, directive, type ElementPart } from 'lit/directive.js'

import type { Session } from '../session/session.js'
import { allowedHtml } from './allowed-html.js'

class HtmlContent extends Directive {
  #text: string | undefined

  override render(_text: string, _session: Session, _isActive: boolean): typeof noChange {
    return noChange
  }

  override update(
    { element }: ElementPart,
    [text, session, isActive]: Parameters<HtmlContent['render']>,
  ): typeof noChange {
    if (text !== this.#text) {
      this.#text = text
      // Nothing of it is painted or clickable outside of the element's box.
      if (element instanceof HTMLElement) element.style.contain = 'paint'
      element.replaceChildren(allowedHtml(text, session))
      if (element.querySelector('.katex, pre') !== null) {
        import('../on-demand.js').then(
          ({ completeContent }) => completeContent(element),
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
 * it changes.
 */
export const htmlContent = directive(HtmlContent)
