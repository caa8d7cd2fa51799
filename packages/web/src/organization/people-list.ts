import type { User } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { dialogTexts } from '../dialog-texts.js'
import { LinkKeys } from '../on-demand.js'
import { showUser } from '../people/user-card.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { avatar } from '../view/avatar.js'
import { dialogHead } from '../view/dialog.js'
import { best, matches } from '../view/matching.js'
import { statusMark } from '../view/emoji-mark.js'
import { presenceKind } from '../view/presence-dot.js'
import { define, View } from '../view/view.js'
import { peopleTexts } from './people-texts.js'

/** So many are shown at first, and more with each click. */
const step = 50

type Filter = keyof typeof peopleTexts.filters

/** The active users, with the data that others see of them. */
class People extends View {
  static override properties = {
    ...View.properties,
    words: { state: true },
    filter: { state: true },
    count: { state: true },
  }
  declare words: string
  declare filter: Filter
  /** No more are shown. */
  declare count: number
  readonly #keys = new LinkKeys(this, '.person')

  constructor() {
    super()
    this.addEventListener('keydown', (event) => this.#keys.press(event))
    this.addEventListener('focusin', (event) => this.#keys.note(event.target))
    this.words = ''
    this.filter = 'all'
    this.count = step
    followState(this, ({ users }) => users)
    followState(this, ({ presence }) => (this.filter === 'present' ? presence : undefined))
    followState(this, ({ statuses }) => statuses)
  }

  protected override firstUpdated(): void {
    this.querySelector('input')?.focus()
  }

  protected override updated(): void {
    this.#keys.apply()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const words = this.words.trim()
    const found = [...session.state.users.values()].filter((user) =>
      this.#isFound(user, words, session),
    )
    const shown = best(found, words, ({ full_name }) => full_name, this.count)
    return html`${dialogHead(peopleTexts.title)}
      <input
        type="search"
        placeholder=${peopleTexts.find}
        aria-label=${peopleTexts.find}
        .value=${this.words}
        @input=${this.#search}
      />
      <label class="people-filter"
        >${peopleTexts.show}
        <select @change=${this.#choose}>
          ${Object.entries(peopleTexts.filters).map(
            ([value, text]) =>
              html`<option value=${value} ?selected=${value === this.filter}>${text}</option>`,
          )}
        </select>
      </label>
      ${
        found.length === 0
          ? nothing
          : html`<ul class="options" aria-label=${peopleTexts.title}>
              ${repeat(
                shown,
                ({ user_id }) => user_id,
                (user) => this.#person(user, session),
              )}
            </ul>`
      }
      <p class="people-foot">
        <span role="status" class="hint"
          >${
            found.length === 0 ? peopleTexts.nobody : peopleTexts.shown(shown.length, found.length)
          }</span
        >
        ${
          shown.length < found.length
            ? html`<button class="plain" @click=${this.#more}>${peopleTexts.more}</button>`
            : nothing
        }
      </p>`
  }

  #person(user: User, session: Session): TemplateResult {
    const { user_id, full_name, is_bot, role } = user
    const status = session.state.statuses.get(user_id)?.status_text
    const about = [
      is_bot ? dialogTexts.bot : dialogTexts.role(role),
      ...(user_id === session.state.me.user_id ? [texts.you] : []),
      ...(status === undefined ? [] : [status]),
    ]
    const open = ({ currentTarget }: Event): void => {
      if (currentTarget instanceof HTMLElement) void showUser(currentTarget, session, user_id)
    }
    return html`<li>
      <button class="person" aria-haspopup="dialog" @click=${open}>
        ${avatar(session, user_id)}
        <span class="body">
          <span class="name" dir="auto">${full_name} ${statusMark(session, user_id)}</span>
          <span class="hint" dir="auto">${about.join(' · ')}</span>
        </span>
        <parley-presence .session=${session} .userId=${user_id}></parley-presence>
      </button>
    </li>`
  }

  #isFound(user: User, words: string, session: Session): boolean {
    const { user_id, full_name, email, delivery_email, is_active, is_system_bot } = user
    if (!is_active || is_system_bot === true || !this.#isOfFilter(user, session)) return false
    const status = session.state.statuses.get(user_id)?.status_text ?? ''
    return (
      matches(full_name, words) ||
      matches(status, words) ||
      (delivery_email ?? email).toLowerCase().startsWith(words.toLowerCase())
    )
  }

  #isOfFilter({ user_id, is_bot, role }: User, session: Session): boolean {
    switch (this.filter) {
      case 'all':
        return true
      case 'present':
        return presenceKind(session, user_id) !== 'away'
      case 'bots':
        return is_bot
      case 'leaders':
        return !is_bot && role <= 200
      case 'moderators':
        return !is_bot && role === 300
      case 'members':
        return !is_bot && role === 400
      case 'guests':
        return !is_bot && role === 600
    }
  }

  readonly #search = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.words = target.value
    this.count = step
  }

  readonly #choose = ({ target }: Event): void => {
    const value = target instanceof HTMLSelectElement ? target.value : ''
    // The options are the filters.
    this.filter = value as Filter
    this.count = step
  }

  readonly #more = async (): Promise<void> => {
    const first = this.count
    this.count += step
    await this.updateComplete
    // The button may have gone.
    this.querySelectorAll<HTMLElement>('.person')[first]?.focus()
  }
}

define('parley-people', People)
