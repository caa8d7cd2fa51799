import { html, nothing, type TemplateResult } from 'lit'

import { texts } from '../texts.js'
import { icon } from '../view/icons.js'

/** Leads to the newest messages. @param count how many of them the reader has not seen yet. */
export function toEndButton(count: number, jump: () => void): TemplateResult {
  const title = count > 0 ? texts.showNew(count) : texts.toNewest
  return html`<button class="to-end" part="to-end" aria-label=${title} @click=${jump}>
    ${icon('arrowDown')}${count > 0 ? title : nothing}
  </button>`
}
