import { css, html, render } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import { useStyle } from '../style/use-style.js'
import { after } from '../timers.js'
import { copyText } from '../view/copy.js'
import { menuIcon } from '../view/menu-icons.js'

const shownMilliseconds = 2000

/** The buttons lie over the blocks, so that nothing moves when they are added. */
const style = css`
  .content .codehilite {
    position: relative;
  }
  .content .copy-code {
    position: absolute;
    top: 4px;
    inset-inline-end: 4px;
    display: flex;
    gap: 4px;
    align-items: center;
    padding: 4px;
    border-radius: var(--radius);
    background: var(--code-background);
    font-size: 0.8em;
  }
  @media (hover: hover) {
    .content .codehilite:not(:hover, :focus-within) .copy-code {
      opacity: 0;
    }
  }
`

/** Gives each block of code in an element a button that copies it. */
export function addCodeButtons(element: Element): void {
  const root = element.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, style)
  // The row in focus is that of the message.
  const isActive = element.closest('.row')?.matches('.active') !== false
  for (const block of element.querySelectorAll<HTMLElement>('.codehilite')) {
    if (block.querySelector('.copy-code') === null) addButton(block, isActive)
  }
}

function addButton(block: HTMLElement, isActive: boolean): void {
  const place = document.createElement('div')
  place.className = 'copy-code'
  const show = (note: string): void => {
    render(
      html`<span role="status">${note}</span>
        <button
          class="quiet"
          type="button"
          aria-label=${dialogTexts.copyCode}
          title=${dialogTexts.copyCode}
          tabindex=${isActive ? 0 : -1}
          @click=${click}
        >
          ${menuIcon('copy')}
        </button>`,
      place,
    )
  }
  const click = async (): Promise<void> => {
    if (!(await copyText(block, block.querySelector('pre')?.textContent ?? ''))) return
    show(dialogTexts.copied)
    after(shownMilliseconds, () => show(''))
  }
  show('')
  block.append(place)
}
