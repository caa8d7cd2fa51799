import { html } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import { openDialog } from './dialog.js'

/**
 * Asks a question in a dialog beside an element, in its root. The focus returns to the element.
 *
 * @returns whether the answer is yes.
 */
export async function ask(
  opener: HTMLElement,
  question: string,
  yes: string,
  isDanger = true,
): Promise<boolean> {
  const answer = await openDialog(
    opener,
    question,
    html`<form method="dialog">
      <p>${question}</p>
      <div class="edit-buttons">
        <button class="plain" value="no">${dialogTexts.cancel}</button>
        <button class="main ${isDanger ? 'danger' : ''}" value="yes">${yes}</button>
      </div>
    </form>`,
  )
  return answer === 'yes'
}
