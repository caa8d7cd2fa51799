import { html, nothing, type TemplateResult } from 'lit'

import { settingsTexts } from '../settings/settings-texts.js'
import { define } from '../view/view.js'
import { groupTexts } from './group-texts.js'
import { ManageSection } from './manage-section.js'
import { nobody, type Chosen } from './permission.js'
import './picker.js'

const maxName = 100
const maxDescription = 1024

/** A form for a new group. */
class NewGroup extends ManageSection {
  static override properties = {
    ...ManageSection.properties,
    cancel: { attribute: false },
    created: { attribute: false },
    chosen: { state: true },
  }
  declare cancel: () => void
  declare created: (id: number) => void
  declare chosen: Chosen

  protected override firstUpdated(): void {
    const { session } = this
    // The creator of a group is usually in it.
    this.chosen = { ...nobody, users: session === undefined ? [] : [session.state.me.user_id] }
    this.querySelector('input')?.focus()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    return html`<div class="settings-body">
        <h3>${groupTexts.newGroup}</h3>
        <form @submit=${this.#submit}>
          <label class="pair"
            ><span>${groupTexts.name}</span>
            <input name="name" required autocomplete="off" maxlength=${maxName} />
          </label>
          <label class="pair"
            ><span>${groupTexts.description}</span>
            <textarea name="description" rows="3" dir="auto" maxlength=${maxDescription}></textarea>
          </label>
          <div class="permission">
            <div aria-hidden="true">${groupTexts.firstMembers}</div>
            <parley-picker
              .session=${session}
              .label=${groupTexts.firstMembers}
              .chosen=${this.chosen ?? nobody}
              .offersUser=${() => true}
              .offersGroup=${() => true}
              .change=${(next: Chosen) => (this.chosen = next)}
            ></parley-picker>
          </div>
          <div class="edit-buttons">
            <button class="plain" type="button" @click=${() => this.cancel()}>
              ${settingsTexts.cancel}
            </button>
            <button class="main">${groupTexts.create}</button>
          </div>
        </form>
      </div>
      ${this.status()}`
  }

  readonly #submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const { session, chosen } = this
    if (session === undefined || !(event.target instanceof HTMLFormElement)) return
    const fields = new FormData(event.target)
    const text = (name: string): string => {
      const value = fields.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    const name = text('name')
    let id = 0
    const isCreated = await this.act(
      async () => {
        const { group_id } = await session.client.api.createUserGroup({
          name,
          description: text('description'),
          members: chosen.users,
          subgroups: chosen.groups,
        })
        id = group_id
      },
      groupTexts.created(name),
      groupTexts.notCreated,
    )
    if (isCreated) this.created(id)
  }
}

define('parley-new-group', NewGroup)
