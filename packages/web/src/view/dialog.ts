import { html, render, type TemplateResult } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import { dialogs } from '../style/dialogs.js'
import { useStyle } from '../style/use-style.js'
import { icon } from './icons.js'

/**
 * Shows a dialog in the root of an element, over everything else. Afterwards the element that had
 * the focus gets it back.
 *
 * @returns its `returnValue` when it is closed; '' if one with this label is shown already.
 */
export function showDialog(
  dialog: HTMLDialogElement,
  near: Node,
  style: string,
  label: string,
): Promise<string> {
  const root = near.getRootNode()
  const place = root instanceof ShadowRoot ? root : document.body
  // A second click may come before the dialog is loaded.
  const isShown = (each: Element): boolean => each.getAttribute('aria-label') === label
  if ([...place.querySelectorAll('dialog')].some(isShown)) return Promise.resolve('')
  dialog.className = style
  dialog.setAttribute('aria-label', label)
  // The parts of the chat are in its shadow root.
  if (root instanceof ShadowRoot) useStyle(root, dialogs)
  place.append(dialog)
  // The chat, which gets this event after the dialog, shows another place.
  dialog.addEventListener('parley-go', () => dialog.close())
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue)
    })
  })
}

/** Shows a dialog whose buttons have values. @returns that of the one which closed it, or ''. */
export function openDialog(near: Node, label: string, content: TemplateResult): Promise<string> {
  const dialog = document.createElement('dialog')
  render(content, dialog)
  return showDialog(dialog, near, 'ask', label)
}

/** The heading of a dialog, with a button that closes it. */
export function dialogHead(title: string): TemplateResult {
  const close = ({ target }: Event): void => {
    if (target instanceof Element) target.closest('dialog')?.close()
  }
  return html`<div class="bar dialog-head">
    <h2 class="title" dir="auto">${title}</h2>
    <button
      class="quiet"
      aria-label=${dialogTexts.close}
      title=${dialogTexts.close}
      @click=${close}
    >
      ${icon('x')}
    </button>
  </div>`
}
