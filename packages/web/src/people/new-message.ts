import { html, nothing, render, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import '../on-demand.js'
import { dialogTexts } from '../dialog-texts.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { avatar } from '../view/avatar.js'
import { dialogHead, showDialog } from '../view/dialog.js'
import { icon } from '../view/icons.js'
import { best, matches } from '../view/matching.js'
import { define, View } from '../view/view.js'

const maxShown = 50
/** The server takes more, but nobody chooses them one by one. */
const maxPeople = 100

/** Lets the user choose people, and opens the direct conversation with them. */
export async function newMessage(opener: HTMLElement, session: Session): Promise<void> {
  const dialog = document.createElement('dialog')
  render(html`<parley-new-message .session=${session}></parley-new-message>`, dialog)
  await showDialog(dialog, opener, 'sheet', texts.newDirect)
}

/** A field for names with a list of users; those who are chosen are before it. */
class NewMessage extends View {
  static override properties = {
    ...View.properties,
    words: { state: true },
    chosen: { state: true },
    current: { state: true },
  }
  declare words: string
  declare chosen: readonly number[]
  /** The index of the option for the Enter key; -1 is none. */
  declare current: number
  #found: readonly number[] = []

  constructor() {
    super()
    this.words = ''
    this.chosen = []
    this.current = -1
    followState(this, ({ users }) => users)
  }

  get #field(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  protected override firstUpdated(): void {
    this.#field?.focus()
  }

  protected override updated(): void {
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, chosen } = this
    if (session === undefined) return nothing
    const isFull = chosen.length >= maxPeople
    this.#found = isFull ? [] : this.#find(session)
    const found = this.#found
    this.current = Math.min(this.current, found.length - 1)
    return html`${dialogHead(texts.newDirect)}
      <div class="chips" @click=${() => this.#field?.focus()}>
        ${repeat(
          chosen,
          (id) => id,
          (id) => this.#chip(id, session),
        )}
        <input
          type="text"
          role="combobox"
          autocomplete="off"
          aria-label=${dialogTexts.people}
          aria-autocomplete="list"
          aria-expanded=${found.length > 0}
          aria-controls=${found.length > 0 ? 'people' : nothing}
          aria-activedescendant=${this.current < 0 ? nothing : `person-${found[this.current]}`}
          placeholder=${dialogTexts.findPeople}
          .value=${this.words}
          ?disabled=${isFull}
          @input=${this.#changed}
          @keydown=${this.#press}
        />
      </div>
      <p class="only-read" role="status">
        ${dialogTexts.chosen(chosen.map((id) => session.nameOf(id)))}
      </p>
      ${
        found.length === 0
          ? html`<p class="note" role="status">
              ${isFull ? dialogTexts.tooMany : dialogTexts.nobody}
            </p>`
          : html`<ul id="people" class="options" role="listbox" aria-label=${dialogTexts.people}>
              ${repeat(
                found,
                (id) => id,
                (id, index) => this.#option(id, index, session),
              )}
            </ul>`
      }
      <div class="edit-buttons">
        <button class="main" ?disabled=${chosen.length === 0} @click=${this.#open}>
          ${dialogTexts.open}
        </button>
      </div>`
  }

  #chip(id: number, session: Session): TemplateResult {
    const name = session.nameOf(id)
    return html`<span class="chip"
      ><span class="name" dir="auto">${name}</span
      ><button
        class="quiet"
        aria-label=${dialogTexts.removePerson(name)}
        @click=${() => this.#remove(id)}
      >
        ${icon('x')}
      </button></span
    >`
  }

  #option(id: number, index: number, session: Session): TemplateResult {
    const user = session.state.users.get(id)
    const isMe = id === session.state.me.user_id
    return html`<li
      id=${`person-${id}`}
      role="option"
      aria-selected=${index === this.current}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.#add(id)}
    >
      ${avatar(session, id)}
      <span class="name" dir="auto">${user?.full_name}</span>
      <span class="hint">${isMe ? texts.you : (user?.delivery_email ?? user?.email)}</span>
    </li>`
  }

  #find({ state }: Session): number[] {
    const words = this.words.trim()
    const users = [...state.users.values()].filter(
      ({ user_id, full_name, email, delivery_email, is_active, is_system_bot }) =>
        is_active &&
        is_system_bot !== true &&
        !this.chosen.includes(user_id) &&
        (matches(full_name, words) ||
          (delivery_email ?? email).toLowerCase().startsWith(words.toLowerCase())),
    )
    return best(users, words, ({ full_name }) => full_name, maxShown).map(({ user_id }) => user_id)
  }

  readonly #changed = (): void => {
    this.words = this.#field?.value ?? ''
    this.current = this.words.trim() === '' ? -1 : 0
  }

  readonly #press = (event: KeyboardEvent): void => {
    const count = this.#found.length
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const last = this.chosen.at(-1)
    if (step !== undefined) {
      if (count > 0)
        this.current = (Math.max(this.current, step > 0 ? -1 : 0) + step + count) % count
    } else if (event.key === 'Enter') {
      const id = this.#found[this.current]
      if (id === undefined) this.#open()
      else this.#add(id)
    } else if (event.key === 'Escape' && this.words !== '') {
      // The next one closes the dialog.
      this.#clear()
    } else if (event.key === 'Backspace' && this.words === '' && last !== undefined) {
      this.#remove(last)
    } else return
    event.preventDefault()
  }

  #clear(): void {
    this.words = ''
    this.current = -1
  }

  #add(id: number): void {
    this.chosen = [...this.chosen, id]
    this.#clear()
    this.#field?.focus()
  }

  #remove(id: number): void {
    this.chosen = this.chosen.filter((each) => each !== id)
    void this.updateComplete.then(() => this.#field?.focus())
  }

  readonly #open = (): void => {
    if (this.session === undefined || this.chosen.length === 0) return
    this.tell('parley-go', { place: this.session.direct(this.chosen) })
  }
}

define('parley-new-message', NewMessage)
