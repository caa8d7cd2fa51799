import type { User, UserGroup } from '@parley/client'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { icon } from '../view/icons.js'
import { best, matches } from '../view/matching.js'
import { define } from '../view/view.js'
import { groupTexts } from './group-texts.js'
import { ManageView } from './manage-view.js'
import { groupName, namesOf } from './names.js'
import { isRole, type Chosen } from './permission.js'

const maxShown = 50

interface Option {
  readonly kind: 'users' | 'groups'
  readonly id: number
  readonly name: string
  readonly hint: string
}

let count = 0

/** Users and groups that are chosen, with a field that finds more of them. */
class Picker extends ManageView {
  static override properties = {
    ...ManageView.properties,
    label: { attribute: false },
    chosen: { attribute: false },
    none: { attribute: false },
    offersUser: { attribute: false },
    offersGroup: { attribute: false },
    change: { attribute: false },
    words: { state: true },
    current: { state: true },
    isOpen: { state: true },
  }
  declare label: string
  declare chosen: Chosen
  /** The text if nothing is chosen. */
  declare none: string
  declare offersUser: (user: User) => boolean
  declare offersGroup: (group: UserGroup) => boolean
  declare change: (chosen: Chosen) => void
  declare words: string
  /** The index of the option for the Enter key; -1 is none. */
  declare current: number
  declare isOpen: boolean
  #options: readonly Option[] = []
  /** Ids are those of the whole chat. */
  readonly #list = `picker-${(count += 1)}`

  constructor() {
    super()
    this.words = this.none = ''
    this.current = -1
    this.isOpen = false
    followState(this, ({ users }) => users)
    followState(this, ({ groups }) => groups)
    this.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.isOpen = false
    })
  }

  get #field(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('isOpen') || changed.has('words')) {
      this.querySelector('.options')?.scrollIntoView({ block: 'nearest' })
    }
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, chosen } = this
    if (session === undefined) return nothing
    this.#options = this.isOpen ? this.#find(session) : []
    const options = this.#options
    this.current = Math.min(this.current, options.length - 1)
    const option = options[this.current]
    return html`<div class="chips" role="group" aria-label=${this.label} @click=${this.#click}>
        ${repeat(
          this.#chosen(session),
          ({ kind, id }) => `${kind} ${id}`,
          (each) => this.#chip(each),
        )}
        <input
          type="text"
          role="combobox"
          autocomplete="off"
          aria-label=${this.label}
          aria-autocomplete="list"
          aria-expanded=${options.length > 0}
          aria-controls=${options.length > 0 ? this.#list : nothing}
          aria-activedescendant=${option === undefined ? nothing : this.#idOf(option)}
          placeholder=${isEmpty(chosen) && this.none !== '' ? this.none : groupTexts.find}
          .value=${this.words}
          @input=${this.#changed}
          @keydown=${this.#press}
        />
      </div>
      <p class="only-read" role="status">
        ${this.matches(':focus-within') ? groupTexts.chosen(namesOf(chosen, session.state)) : nothing}
      </p>
      ${
        !this.isOpen
          ? nothing
          : options.length === 0
            ? html`<p class="options quiet-text" role="status">${groupTexts.nothingFound}</p>`
            : html`<ul id=${this.#list} class="options" role="listbox" aria-label=${this.label}>
                ${repeat(options, this.#idOf, (each, index) => this.#option(each, index))}
              </ul>`
      }`
  }

  readonly #idOf = ({ kind, id }: Option): string => `${this.#list}-${kind}-${id}`

  #chosen({ state }: Session): Option[] {
    const { users, groups } = this.chosen
    const entry = (kind: Option['kind'], id: number, name: string): Option => {
      return { kind, id, name, hint: '' }
    }
    return [
      ...groups.map((id) => entry('groups', id, groupName(state.groups.get(id)))),
      ...users.map((id) =>
        entry('users', id, state.users.get(id)?.full_name ?? groupTexts.unknownUser),
      ),
    ]
  }

  #chip(option: Option): TemplateResult {
    return html`<span class="chip"
      ><span class="name" dir="auto">${option.name}</span
      ><button
        type="button"
        class="quiet"
        aria-label=${groupTexts.removeFrom(option.name, this.label)}
        @click=${() => this.#remove(option)}
      >
        ${icon('x')}
      </button></span
    >`
  }

  #option(option: Option, index: number): TemplateResult {
    return html`<li
      id=${this.#idOf(option)}
      role="option"
      aria-selected=${index === this.current}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.#add(option)}
    >
      <span class="name" dir="auto">${option.name}</span>
      <span class="hint">${option.hint}</span>
    </li>`
  }

  /** Groups first: they are few, and usually meant. */
  #find({ state }: Session): Option[] {
    const words = this.words.trim()
    const { users, groups } = this.chosen
    const foundGroups = [...state.groups.values()].filter(
      (group) =>
        !group.deactivated &&
        // Nobody is chosen by choosing nothing; the internet has no users.
        !isRole(group, 'role:nobody') &&
        !isRole(group, 'role:internet') &&
        !groups.includes(group.id) &&
        matches(groupName(group), words) &&
        this.offersGroup(group),
    )
    const foundUsers = [...state.users.values()].filter(
      (user) =>
        user.is_active &&
        user.is_system_bot !== true &&
        !users.includes(user.user_id) &&
        (matches(user.full_name, words) ||
          addressOf(user).toLowerCase().startsWith(words.toLowerCase())) &&
        this.offersUser(user),
    )
    const options = [
      ...best(foundGroups, words, groupName, maxShown).map((group): Option => {
        const { id, members, is_system_group } = group
        const hint = is_system_group ? groupTexts.roleHint : groupTexts.groupHint(members.length)
        return { kind: 'groups', id, name: groupName(group), hint }
      }),
      ...best(foundUsers, words, ({ full_name }) => full_name, maxShown).map((user): Option => {
        return { kind: 'users', id: user.user_id, name: user.full_name, hint: addressOf(user) }
      }),
    ]
    return options.slice(0, maxShown)
  }

  readonly #click = ({ target }: Event): void => {
    if (target instanceof Element && target.closest('button') !== null) return
    this.#field?.focus()
    this.isOpen = true
  }

  readonly #changed = (): void => {
    this.words = this.#field?.value ?? ''
    this.isOpen = true
    this.current = this.words.trim() === '' ? -1 : 0
  }

  readonly #press = (event: KeyboardEvent): void => {
    const { length } = this.#options
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const last = this.session === undefined ? undefined : this.#chosen(this.session).at(-1)
    if (step !== undefined) {
      if (!this.isOpen) this.isOpen = true
      else if (length > 0) {
        this.current = (Math.max(this.current, step > 0 ? -1 : 0) + step + length) % length
      }
    } else if (event.key === 'Enter') {
      const option = this.#options[this.current]
      // A form is sent only if nothing is chosen here.
      if (option === undefined && this.words === '') return
      if (option !== undefined) this.#add(option)
    } else if (event.key === 'Escape' && this.isOpen) {
      // The next one closes the dialog.
      this.#close()
    } else if (event.key === 'Backspace' && this.words === '' && last !== undefined) {
      this.#remove(last)
    } else return
    event.preventDefault()
  }

  #close(): void {
    this.isOpen = false
    this.words = ''
    this.current = -1
  }

  #add({ kind, id }: Option): void {
    this.#close()
    this.change({ ...this.chosen, [kind]: [...this.chosen[kind], id] })
    this.#field?.focus()
  }

  #remove({ kind, id }: Option): void {
    this.change({ ...this.chosen, [kind]: this.chosen[kind].filter((each) => each !== id) })
    void this.updateComplete.then(() => this.#field?.focus())
  }
}

function isEmpty({ users, groups }: Chosen): boolean {
  return users.length === 0 && groups.length === 0
}

function addressOf({ delivery_email, email }: User): string {
  return delivery_email ?? email
}

define('parley-picker', Picker)
