import type { User } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { dialogTexts } from '../dialog-texts.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { ask } from '../view/ask.js'
import { avatar } from '../view/avatar.js'
import { best, matches } from '../view/matching.js'
import { define } from '../view/view.js'
import { EditList } from './edit-list.js'
import { formField, problemText, textsOf } from './form-field.js'
import { userTexts } from './user-texts.js'

/** So many are shown at first, and more with each click. */
const step = 50
const maxName = 100
const roles = [100, 200, 300, 400, 600] as const
const owner = 100

type Filter = keyof typeof userTexts.filters

/** The accounts of the organization. */
class UserSection extends EditList<User> {
  static override properties = {
    ...EditList.properties,
    words: { state: true },
    filter: { state: true },
    count: { state: true },
  }
  declare words: string
  declare filter: Filter
  declare count: number

  constructor() {
    super()
    this.words = ''
    this.filter = 'active'
    this.count = step
    followState(this, ({ users }) => users)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const words = this.words.trim()
    const found = [...session.state.users.values()].filter((user) => this.#isFound(user, words))
    const shown = best(found, words, ({ full_name }) => full_name, this.count)
    const items = this.entries(
      shown,
      ({ user_id }) => user_id,
      (user) => this.#form(user, session),
      (user) => this.#item(user, session),
    )
    return html`${this.#filters()}
    ${this.list(
      userTexts.title,
      userTexts.none,
      shown.length === 0 ? [] : [items],
      html`<div class="edit-buttons">
        <span class="quiet-text" role="status">${userTexts.shown(shown.length, found.length)}</span>
        ${
          shown.length < found.length
            ? html`<button class="plain" type="button" @click=${this.#more}>
                ${userTexts.more}
              </button>`
            : nothing
        }
      </div>`,
    )}`
  }

  #filters(): TemplateResult {
    const search = ({ target }: Event): void => {
      if (target instanceof HTMLInputElement) this.words = target.value
      this.count = step
    }
    const choose = ({ target }: Event): void => {
      const value = target instanceof HTMLSelectElement ? target.value : ''
      // The options are the filters.
      this.filter = value as Filter
      this.count = step
    }
    return html`<div class="filters">
      <input
        type="search"
        placeholder=${userTexts.find}
        aria-label=${userTexts.find}
        .value=${this.words}
        @input=${search}
      />
      <select aria-label=${userTexts.show} @change=${choose}>
        ${Object.entries(userTexts.filters).map(
          ([value, text]) =>
            html`<option value=${value} ?selected=${value === this.filter}>${text}</option>`,
        )}
      </select>
    </div>`
  }

  #isFound(user: User, words: string): boolean {
    const { edited } = this
    // The account that the user is editing stays, also when another window changes it.
    if (edited !== undefined && edited !== 'new' && edited.user_id === user.user_id) return true
    const { full_name, email, delivery_email, is_active, is_bot, is_system_bot } = user
    const kind = is_bot ? 'bots' : is_active ? 'active' : 'deactivated'
    return (
      is_system_bot !== true &&
      kind === this.filter &&
      (matches(full_name, words) ||
        (delivery_email ?? email).toLowerCase().startsWith(words.toLowerCase()))
    )
  }

  #item(user: User, session: Session): TemplateResult {
    const { user_id, full_name, is_active, is_bot, bot_owner_id, role } = user
    const about = [
      is_bot ? userTexts.botOf(session.nameOf(bot_owner_id ?? 0) || dialogTexts.someone) : '',
      dialogTexts.role(role),
      user.delivery_email ?? user.email,
      user_id === session.state.me.user_id ? texts.you : '',
      is_bot && !is_active ? dialogTexts.deactivated : '',
    ]
    // Only owners deactivate owners.
    const isMine = role !== owner || session.state.me.is_owner
    return html`<li class="entry" data-key=${user_id}>
      ${avatar(session, user_id)}
      <div class="about">
        <strong dir="auto">${full_name}</strong>
        <div class="quiet-text">${about.filter(Boolean).join(' · ')}</div>
      </div>
      <div class="edit-buttons">
        ${this.editButton(full_name, user)}
        ${
          !is_active
            ? this.button(userTexts.reactivate, userTexts.reactivateWhom(full_name), () => {
                void this.act(userTexts.reactivated(full_name), () =>
                  session.client.api.reactivateUser({ user_id }),
                )
              })
            : isMine
              ? this.button(userTexts.deactivate, userTexts.deactivateWhom(full_name), (button) => {
                  void this.#deactivate(user, session, button)
                })
              : nothing
        }
      </div>
    </li>`
  }

  async #deactivate(user: User, session: Session, button: HTMLElement): Promise<void> {
    const { user_id, full_name, is_bot } = user
    const { state, client } = session
    const bots = [...state.users.values()].filter(
      (each) => each.is_bot && each.is_active && each.bot_owner_id === user_id,
    )
    const question = is_bot
      ? userTexts.botQuestion(full_name)
      : user_id === state.me.user_id
        ? userTexts.ownQuestion
        : userTexts.question(
            full_name,
            bots.map((bot) => bot.full_name),
          )
    if (!(await ask(button, question, userTexts.deactivate))) return
    await this.act(userTexts.deactivated(full_name), () =>
      is_bot
        ? client.api.deactivateBot({ bot_id: user_id })
        : client.api.deactivateUser({ user_id }),
    )
  }

  #form(user: User, session: Session): TemplateResult {
    const { user_id, full_name, role } = user
    const { is_owner } = session.state.me
    const hasRoles = role !== owner || is_owner
    const submit = (event: Event): void => {
      event.preventDefault()
      if (!(event.target instanceof HTMLFormElement)) return
      const text = textsOf(event.target)
      const name = text('full_name')
      const chosen = roles.find((each) => String(each) === text('role'))
      // Only values that the user has changed: the rest may have been changed elsewhere.
      void this.submit(name, user_id, () =>
        session.client.api.updateUser({
          user_id,
          ...(name !== full_name && { full_name: name }),
          ...(chosen !== undefined && chosen !== role && { role: chosen }),
        }),
      )
    }
    return html`<form @submit=${submit}>
      ${formField({
        name: 'full_name',
        label: userTexts.name,
        value: full_name,
        maxLength: maxName,
        problem: this.problem,
      })}
      ${
        hasRoles
          ? html`<label class="pair"
              ><span>${userTexts.role}</span>
              <select name="role">
                ${roles
                  .filter((each) => each !== owner || is_owner)
                  .map(
                    (each) =>
                      html`<option value=${each} ?selected=${each === role}>
                        ${dialogTexts.role(each)}
                      </option>`,
                  )}
              </select>
            </label>`
          : html`<p class="quiet-text">${userTexts.roleLocked}</p>`
      }
      ${problemText(this.problem)} ${this.formButtons(() => void this.end(user_id))}
    </form>`
  }

  readonly #more = async (): Promise<void> => {
    const first = this.count
    this.count += step
    await this.updateComplete
    // The button may have gone.
    this.querySelectorAll<HTMLElement>('.edit')[first]?.focus()
  }
}

define('parley-user-section', UserSection)
