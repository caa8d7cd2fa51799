import { html, render, type TemplateResult } from 'lit'

import { useStyle } from '../style/use-style.js'
import { dialogHead, showDialog } from '../view/dialog.js'
import { extraStyle } from './extra-style.js'
import { extraTexts } from './extra-texts.js'
import { isKept, keep, withoutKeysKey } from './kept.js'

/** Shows all shortcuts, with a switch for single keys. */
export async function showShortcuts(opener: HTMLElement): Promise<void> {
  const root = opener.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, extraStyle)
  const dialog = document.createElement('dialog')
  const change = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) keep(withoutKeysKey, !target.checked)
  }
  render(
    html`${dialogHead(extraTexts.shortcuts)}
      <label class="bar switch">
        <input type="checkbox" .checked=${!isKept(withoutKeysKey)} @change=${change} />
        ${extraTexts.single}
      </label>
      <p>${extraTexts.where}</p>
      ${list(Object.entries(extraTexts.keys))}
      <p>${extraTexts.always}</p>
      ${list(extraTexts.otherKeys)}`,
    dialog,
  )
  await showDialog(dialog, opener, 'ask shortcuts', extraTexts.shortcuts)
}

function list(entries: readonly (readonly [string, string])[]): TemplateResult {
  return html`<dl>
    ${entries.map(
      ([keys, text]) =>
        html`<div>
          <dt><kbd>${keys}</kbd></dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`
}
