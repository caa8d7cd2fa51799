import { html, render, type TemplateResult } from 'lit'

import { isKept, keep } from '../session/kept-choices.js'
import { useStyle } from '../style/use-style.js'
import { dialogHead, showDialog } from '../view/dialog.js'
import { shortcutStyle } from './shortcut-style.js'
import { shortcutTexts } from './shortcut-texts.js'

/** Where the browser keeps whether the user wants no single keys as shortcuts. */
export const withoutKeysKey = 'parley-without-keys'

/** Shows all shortcuts, with a switch for single keys. */
export async function showShortcuts(opener: HTMLElement): Promise<void> {
  const root = opener.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, shortcutStyle)
  const dialog = document.createElement('dialog')
  const change = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) keep(withoutKeysKey, !target.checked)
  }
  render(
    html`${dialogHead(shortcutTexts.shortcuts)}
      <label class="bar switch">
        <input type="checkbox" .checked=${!isKept(withoutKeysKey)} @change=${change} />
        ${shortcutTexts.single}
      </label>
      <p>${shortcutTexts.where}</p>
      ${list(Object.entries(shortcutTexts.keys))}
      <p>${shortcutTexts.always}</p>
      ${list(shortcutTexts.otherKeys)}`,
    dialog,
  )
  await showDialog(dialog, opener, 'ask shortcuts', shortcutTexts.shortcuts)
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
