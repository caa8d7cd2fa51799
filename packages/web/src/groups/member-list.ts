import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { avatar } from '../view/avatar.js'
import { best, matches } from '../view/matching.js'
import { define } from '../view/view.js'
import { groupTexts } from './group-texts.js'
import { ManageView } from './manage-view.js'
import { groupName } from './names.js'
import type { Chosen } from './permission.js'

const maxShown = 100

/** A user or a group in the list. */
export interface Member {
  readonly kind: 'users' | 'groups'
  readonly id: number
  readonly name: string
}

/** Users and groups, the first ones by name, and a field that finds the others. */
class MemberList extends ManageView {
  static override properties = {
    ...ManageView.properties,
    label: { attribute: false },
    members: { attribute: false },
    mayRemove: { attribute: false },
    removeMember: { attribute: false },
    words: { state: true },
  }
  declare label: string
  declare members: Chosen
  declare mayRemove: (member: Member) => boolean
  declare removeMember: (member: Member, button: HTMLElement) => void
  declare words: string
  #hadFocus = false

  constructor() {
    super()
    this.words = ''
    followState(this, ({ users }) => users)
    followState(this, ({ groups }) => groups)
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.matches(':focus-within')
  }

  protected override updated(): void {
    // The button of a member may have gone with it.
    if (this.#hadFocus && !this.matches(':focus-within')) this.querySelector('input')?.focus()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const all = this.#all(session)
    const words = this.words.trim()
    const found = best(
      all.filter(({ name }) => matches(name, words)),
      words,
      ({ name }) => name,
      all.length,
    )
    const shown = found.slice(0, maxShown)
    return html`<div class="member-list">
      <input
        type="search"
        aria-label=${groupTexts.findMembers}
        placeholder=${groupTexts.findMembers}
        .value=${this.words}
        @input=${this.#changed}
      />
      ${
        shown.length === 0
          ? html`<p class="quiet-text">
              ${all.length === 0 ? groupTexts.noMembers : groupTexts.nothingFound}
            </p>`
          : html`<ul class="items" aria-label=${this.label}>
              ${repeat(
                shown,
                ({ kind, id }) => `${kind} ${id}`,
                (member) => this.#item(member, session),
              )}
            </ul>`
      }
      ${
        found.length > shown.length
          ? html`<p class="quiet-text">${groupTexts.shownOf(shown.length, found.length)}</p>`
          : nothing
      }
    </div>`
  }

  #all({ state }: Session): Member[] {
    return [
      ...this.members.groups.map((id): Member => {
        return { kind: 'groups', id, name: groupName(state.groups.get(id)) }
      }),
      ...this.members.users.map((id): Member => {
        const name = state.users.get(id)?.full_name ?? groupTexts.unknownUser
        return { kind: 'users', id, name }
      }),
    ]
  }

  #item(member: Member, session: Session): TemplateResult {
    const { kind, id, name } = member
    const isMe = kind === 'users' && id === session.state.me.user_id
    const remove = ({ currentTarget }: Event): void => {
      if (currentTarget instanceof HTMLElement) this.removeMember(member, currentTarget)
    }
    return html`<li>
      ${kind === 'users' ? avatar(session, id) : nothing}
      <span class="name" dir="auto">${name}</span>
      ${
        kind === 'groups' || isMe
          ? html`<span class="quiet-text">${isMe ? groupTexts.you : groupTexts.subgroup}</span>`
          : nothing
      }
      ${
        this.mayRemove(member)
          ? html`<button
              type="button"
              class="plain"
              aria-label=${isMe ? groupTexts.leaveSelf : groupTexts.removeMember(name)}
              @click=${remove}
            >
              ${isMe ? groupTexts.leaveSelf : groupTexts.remove}
            </button>`
          : nothing
      }
    </li>`
  }

  readonly #changed = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.words = target.value
  }
}

define('parley-members', MemberList)
