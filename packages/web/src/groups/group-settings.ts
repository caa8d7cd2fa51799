import type { UserGroup } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { checkbox } from '../settings/fields.js'
import { best, matches } from '../view/matching.js'
import { define } from '../view/view.js'
import './group-page.js'
import { groupTexts } from './group-texts.js'
import { ManageSection } from './manage-section.js'
import './new-group.js'
import { usersOf } from './permission.js'
import { mayCreateGroups } from './rights.js'

const maxShown = 100

/** The user groups of the organization, one of them, or a form for a new one. */
class GroupSettings extends ManageSection {
  static override properties = {
    ...ManageSection.properties,
    words: { state: true },
    showsDeactivated: { state: true },
    shown: { state: true },
  }
  declare words: string
  declare showsDeactivated: boolean
  /** The id of a group; undefined is the list. */
  declare shown: number | 'new' | undefined

  constructor() {
    super()
    this.words = ''
    this.showsDeactivated = false
    followState(this, ({ groups }) => groups)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, shown } = this
    if (session === undefined) return nothing
    if (shown === 'new') {
      return html`<parley-new-group
        .session=${session}
        .cancel=${() => this.#show(undefined)}
        .created=${(id: number) => this.#show(id)}
      ></parley-new-group>`
    }
    if (shown !== undefined) {
      return html`<parley-group
        .session=${session}
        .groupId=${shown}
        .back=${() => this.#show(undefined)}
      ></parley-group>`
    }
    const own = [...session.state.groups.values()].filter((group) => !group.is_system_group)
    const words = this.words.trim()
    const found = best(
      own.filter(
        ({ name, deactivated }) => (this.showsDeactivated || !deactivated) && matches(name, words),
      ),
      words,
      ({ name }) => name,
      own.length,
    )
    const first = found.slice(0, maxShown)
    return html`<div class="settings-body group-list">
      <h3 tabindex="-1">${groupTexts.groups}</h3>
      <input
        type="search"
        aria-label=${groupTexts.findGroups}
        placeholder=${groupTexts.findGroups}
        .value=${this.words}
        @input=${this.#changed}
      />
      ${
        own.some(({ deactivated }) => deactivated)
          ? checkbox(groupTexts.showDeactivated, this.showsDeactivated, (isOn) => {
              this.showsDeactivated = isOn
            })
          : nothing
      }
      ${
        first.length === 0
          ? html`<p class="quiet-text" role="status">${groupTexts.noGroups}</p>`
          : html`<ul class="items" aria-label=${groupTexts.groups}>
              ${repeat(
                first,
                ({ id }) => id,
                (group) => this.#item(group, session),
              )}
            </ul>`
      }
      ${
        found.length > first.length
          ? html`<p class="quiet-text">${groupTexts.shownOf(first.length, found.length)}</p>`
          : nothing
      }
      ${
        mayCreateGroups(session.state)
          ? html`<div class="bar-buttons">
              <button class="plain" type="button" @click=${() => this.#show('new')}>
                ${groupTexts.newGroup}
              </button>
            </div>`
          : nothing
      }
    </div>`
  }

  #item({ id, name, description, members, deactivated }: UserGroup, session: Session) {
    const { state } = session
    const all = usersOf({ users: [], groups: [id] }, state)
    const facts = [
      deactivated ? groupTexts.deactivated : '',
      groupTexts.members(all.length),
      members.includes(state.me.user_id) ? groupTexts.yours : '',
      description,
    ]
    return html`<li>
      <div class="name">
        <strong dir="auto">${name}</strong>
        <div class="quiet-text" dir="auto">${facts.filter(Boolean).join(' · ')}</div>
      </div>
      <button
        class="plain"
        type="button"
        data-group=${id}
        aria-label=${groupTexts.openWhat(name)}
        @click=${() => this.#show(id)}
      >
        ${groupTexts.open}
      </button>
    </li>`
  }

  /** The element with the focus is removed with the page that was shown. */
  #show(next: number | 'new' | undefined): void {
    const { shown: before } = this
    this.shown = next
    void this.updateComplete.then(() => {
      if (next !== undefined) return
      const opener = this.querySelector<HTMLElement>(`[data-group="${before}"]`)
      ;(opener ?? this.querySelector('h3'))?.focus()
    })
  }

  readonly #changed = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.words = target.value
  }
}

define('parley-groups', GroupSettings)
