import { html, render } from 'lit'

import '../on-demand.js'
import { dialogTexts } from '../dialog-texts.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { showDialog } from '../view/dialog.js'
import { placeBeside } from '../view/place-beside.js'
import { emojiList, emojiPicture, findEmoji, type Emoji } from './emoji-list.js'

const columns = 8
const maxShown = 120
/** Shown first while nothing is searched for. */
const usual = ['+1', 'heart', 'tada', 'laughing', 'eyes', 'wave', 'check', 'octopus']

/**
 * Lets the user choose an emoji, in a dialog in the root of the opener, which gets the focus back.
 *
 * @returns undefined if the user chooses none.
 */
export async function pickEmoji(
  opener: HTMLElement,
  session: Session,
  label: string = texts.react,
): Promise<Emoji | undefined> {
  let all = await emojiList(session)
  const dialog = document.createElement('dialog')
  let chosen: Emoji | undefined
  let shown: readonly Emoji[] = []
  let current = 0

  const choose = (emoji: Emoji): void => {
    chosen = emoji
    dialog.close()
  }
  const search = (words: string): void => {
    const searched = words === '' ? all.toSorted((one, other) => rankOf(one) - rankOf(other)) : all
    const found = findEmoji(searched, words, maxShown)
    const first = usual.flatMap((name) => all.find(({ emoji_name }) => emoji_name === name) ?? [])
    shown = words === '' ? [...new Set([...first, ...found])] : found
    current = 0
    show()
  }
  const move = (index: number): void => {
    current = Math.max(0, Math.min(shown.length - 1, index))
    show()
    dialog.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (current + step < 0) dialog.querySelector('input')?.focus()
    else move(current + step)
  }
  const pressInField = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      move(0)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (shown[0] !== undefined) choose(shown[0])
    }
  }
  const cell = (emoji: Emoji, index: number): unknown => {
    const picture = emojiPicture(emoji, session)
    const name = emoji.emoji_name.replaceAll('_', ' ')
    return html`<span role="gridcell"
      ><button
        tabindex=${index === current ? 0 : -1}
        aria-label=${name}
        title=${name}
        @click=${() => choose(emoji)}
      >
        ${
          'address' in picture
            ? html`<img src=${picture.address} alt="" width="22" height="22" />`
            : picture.characters
        }
      </button></span
    >`
  }
  const show = (): void => {
    const rows = Array.from({ length: Math.ceil(shown.length / columns) }, (_, row) =>
      shown.slice(row * columns, (row + 1) * columns),
    )
    render(
      html`<input
          type="search"
          placeholder=${dialogTexts.emojiSearch}
          aria-label=${dialogTexts.emojiSearch}
          @input=${(event: Event) => search(valueOf(event))}
          @keydown=${pressInField}
        />
        <div class="grid" role="grid" aria-label=${dialogTexts.emojiList} @keydown=${press}>
          ${rows.map(
            (row, index) =>
              html`<div role="row">
                ${row.map((emoji, column) => cell(emoji, index * columns + column))}
              </div>`,
          )}
        </div>`,
      dialog,
    )
  }
  search('')
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  const stop = session.store.subscribe(
    ({ emoji }) => emoji,
    () =>
      void emojiList(session).then((list) => {
        all = list
        search(dialog.querySelector('input')?.value ?? '')
      }),
  )
  const box = opener.getBoundingClientRect()
  const closed = showDialog(dialog, opener, 'beside picker', label)
  placeBeside(dialog, box)
  dialog.querySelector('input')?.focus()
  await closed
  stop()
  return chosen
}

/** The organization's own emoji, then faces and gestures, then the others. */
function rankOf({ reaction_type, emoji_code }: Emoji): number {
  if (reaction_type === 'realm_emoji') return 0
  return /^1f6[0-4]/.test(emoji_code) ? 1 : /^1f[49]/.test(emoji_code) ? 2 : 3
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLInputElement ? target.value : ''
}
