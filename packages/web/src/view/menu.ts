import { html, render, type TemplateResult } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import { showDialog } from './dialog.js'
import { icon } from './icons.js'
import { noIcon } from './menu-icons.js'
import { placeBeside } from './place-beside.js'

export interface MenuItem {
  readonly value: string
  readonly label: string
  readonly picture?: TemplateResult
  readonly isDanger?: boolean
}

/**
 * Lets the user choose one of several actions, beside the opener of the list.
 *
 * @returns the value of the action, or '' for none.
 */
export async function chooseAction(
  opener: HTMLElement,
  label: string,
  items: readonly MenuItem[],
): Promise<string> {
  const dialog = document.createElement('dialog')
  render(
    html`<form method="dialog" class="actions">
      ${items.map(
        ({ value, label: text, picture = noIcon, isDanger = false }) =>
          html`<button class="action ${isDanger ? 'danger' : ''}" value=${value}>
            ${picture}<span dir="auto">${text}</span>
          </button>`,
      )}
      <button class="action last" value="">${icon('x')}<span>${dialogTexts.cancel}</span></button>
    </form>`,
    dialog,
  )
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close('')
  })
  dialog.addEventListener('keydown', moveFocus)
  const box = opener.getBoundingClientRect()
  const closed = showDialog(dialog, opener, 'beside menu-box', label)
  placeBeside(dialog, box)
  return closed
}

function moveFocus(event: KeyboardEvent): void {
  const { currentTarget: dialog, key } = event
  if (!(dialog instanceof HTMLElement)) return
  const buttons = [...dialog.querySelectorAll('button')]
  const index = buttons.findIndex((button) => button.matches(':focus'))
  const last = buttons.length - 1
  const next = {
    ArrowDown: index === last ? 0 : index + 1,
    ArrowUp: index <= 0 ? last : index - 1,
    Home: 0,
    End: last,
  }[key]
  if (next === undefined) return
  event.preventDefault()
  buttons[next]?.focus()
}
