import type { Message } from '@parley/client'
import { html, nothing, render } from 'lit'

import '../on-demand.js'
import type { Session } from '../session/session.js'
import { useStyle } from '../style/use-style.js'
import { dialogHead, showDialog } from '../view/dialog.js'
import { icon } from '../view/icons.js'
import { picturesOf, type Picture } from './message-pictures.js'
import { pictureStyle } from './picture-style.js'
import { pictureTexts } from './picture-texts.js'

interface Addresses {
  readonly full: string
  readonly original: string
}

/**
 * Shows a picture, and the others of the same messages.
 *
 * @param link leads to the picture.
 */
export async function showPictures(
  link: HTMLElement,
  messageId: number,
  messages: readonly Message[],
  session: Session,
): Promise<void> {
  const address = link instanceof HTMLAnchorElement ? link.href : ''
  const isOpened = (picture: Picture): boolean =>
    picture.messageId === messageId && picture.original.href === address
  const pictures = picturesOf(messages, session, isOpened)
  let index = pictures.findIndex(isOpened)
  if (index < 0) return
  const dialog = document.createElement('dialog')
  let addresses: Addresses | undefined
  let isBroken = false

  const move = (step: number): void => {
    index = (index + step + pictures.length) % pictures.length
    void load()
  }
  const load = async (): Promise<void> => {
    const picture = pictures[index]
    if (picture === undefined) return
    addresses = undefined
    isBroken = false
    show(picture)
    try {
      const [full, original] = await Promise.all([
        session.files.openable(picture.full) ?? picture.full.href,
        session.files.openable(picture.original) ?? picture.original.href,
      ])
      if (picture === pictures[index]) addresses = { full, original }
    } catch {
      if (picture === pictures[index]) isBroken = true
    }
    if (picture === pictures[index]) show(picture)
  }
  const fail = (picture: Picture): void => {
    isBroken = true
    show(picture)
  }
  const show = (picture: Picture): void => {
    const { name } = picture
    render(
      html`${dialogHead(name)}
        <div class="picture">
          ${
            isBroken
              ? html`<p role="status">${pictureTexts.broken}</p>`
              : addresses === undefined
                ? nothing
                : html`<img src=${addresses.full} alt=${name} @error=${() => fail(picture)} />`
          }
        </div>
        <div class="picture-controls">
          ${pictures.length > 1 ? turn(pictureTexts.previous, 'previous', -1) : nothing}
          <span role="status" dir="auto"
            >${pictureTexts.position(name, index + 1, pictures.length)}</span
          >
          ${pictures.length > 1 ? turn(pictureTexts.next, 'next', 1) : nothing}
          ${
            addresses === undefined
              ? nothing
              : html`<a href=${addresses.original} target="_blank" rel="noopener noreferrer"
                  >${pictureTexts.openOriginal}</a
                >`
          }
        </div>`,
      dialog,
    )
  }
  const turn = (title: string, style: 'previous' | 'next', step: number): unknown =>
    html`<button class="quiet" aria-label=${title} title=${title} @click=${() => move(step)}>
      <span class=${style}>${icon('arrowLeft')}</span>
    </button>`

  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    move(dialog.matches(':dir(rtl)') ? -step : step)
  })
  const root = link.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, pictureStyle)
  void load()
  await showDialog(dialog, link, 'pictures', pictureTexts.pictures)
}
