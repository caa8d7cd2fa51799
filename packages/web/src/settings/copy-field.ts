import { html, type TemplateResult } from 'lit'

import { isCopied } from '../view/copy.js'
import { accountTexts } from './account-texts.js'

/** A text that the user copies into another program. */
export function copyField(
  label: string,
  value: string,
  report: (note: string) => void,
): TemplateResult {
  const copy = async ({ currentTarget }: Event): Promise<void> => {
    const button = currentTarget instanceof HTMLElement ? currentTarget : undefined
    if (await isCopied(value)) {
      report(accountTexts.copied(label))
      return
    }
    button?.closest('.copy-field')?.querySelector('input')?.select()
    report(accountTexts.notCopied(label))
  }
  return html`<div class="copy-field">
    <label class="pair"><span>${label}</span><input readonly dir="ltr" .value=${value} /></label>
    <button class="plain" type="button" aria-label=${accountTexts.copyWhat(label)} @click=${copy}>
      ${accountTexts.copy}
    </button>
  </div>`
}
