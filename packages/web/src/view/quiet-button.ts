import { html, nothing, type TemplateResult } from 'lit'

import { icon, type IconName } from './icons.js'

interface ButtonOptions {
  /** @default true */
  readonly opensDialog?: boolean
  readonly isDisabled?: boolean
}

/** A button that is an icon, and says by its name what it does. */
export function quietButton(
  picture: IconName,
  label: string,
  click: (event: Event) => unknown,
  { opensDialog = true, isDisabled = false }: ButtonOptions = {},
): TemplateResult {
  return html`<button
    class="quiet"
    type="button"
    aria-label=${label}
    title=${label}
    aria-haspopup=${opensDialog ? 'dialog' : nothing}
    ?disabled=${isDisabled}
    @click=${click}
  >
    ${icon(picture)}
  </button>`
}
