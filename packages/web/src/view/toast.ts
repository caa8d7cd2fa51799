import { html, nothing, type TemplateResult } from 'lit'

import { texts } from '../texts.js'
import { icon } from './icons.js'

/** Says above everything else what went wrong, until the user has read it. */
export function toast(problem: string | undefined, forget: () => void): TemplateResult {
  return html`<div role="alert" class="toast ${problem === undefined ? 'empty' : ''}">
    ${
      problem === undefined
        ? nothing
        : html`${problem}
            <button class="quiet" aria-label=${texts.clear} @click=${forget}>${icon('x')}</button>`
    }
  </div>`
}
