import type { User, UserGroup } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { ReportingSection } from '../settings/reporting-section.js'
import { define } from '../view/view.js'
import { groupTexts } from './group-texts.js'
import { namesOf } from './names.js'
import { nobody, type Chosen } from './permission.js'
import './picker.js'

/** Adds users and groups to a channel or a group. */
class AddMembers extends ReportingSection {
  static override properties = {
    ...ReportingSection.properties,
    label: { attribute: false },
    offersUser: { attribute: false },
    offersGroup: { attribute: false },
    add: { attribute: false },
    chosen: { state: true },
    isBusy: { state: true },
  }
  declare label: string
  declare offersUser: (user: User) => boolean
  declare offersGroup: (group: UserGroup) => boolean
  declare add: (chosen: Chosen) => Promise<unknown>
  declare chosen: Chosen
  declare isBusy: boolean

  constructor() {
    super()
    this.chosen = nobody
    this.isBusy = false
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, chosen } = this
    if (session === undefined) return nothing
    const isEmpty = chosen.users.length + chosen.groups.length === 0
    return html`<form @submit=${this.#submit}>
      <div aria-hidden="true">${this.label}</div>
      <parley-picker
        .session=${session}
        .label=${this.label}
        .chosen=${chosen}
        .offersUser=${this.offersUser}
        .offersGroup=${this.offersGroup}
        .change=${(next: Chosen) => (this.chosen = next)}
      ></parley-picker>
      <div class="edit-buttons">
        <button class="plain" ?disabled=${isEmpty || this.isBusy}>${groupTexts.add}</button>
      </div>
    </form>`
  }

  readonly #submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const { session, chosen, isBusy } = this
    if (session === undefined || isBusy || chosen.users.length + chosen.groups.length === 0) return
    this.isBusy = true
    const names = namesOf(chosen, session.state).join(', ')
    const isAdded = await this.run(
      () => this.add(chosen),
      groupTexts.addedMembers(names),
      groupTexts.notAdded,
    )
    this.isBusy = false
    // The chosen members stay if the server refuses them.
    if (isAdded) this.chosen = nobody
    void this.updateComplete.then(() => this.querySelector('input')?.focus())
  }
}

define('parley-add-members', AddMembers)
