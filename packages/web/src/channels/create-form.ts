import { html, nothing, type TemplateResult } from 'lit'

import { channelTexts } from '../channel-settings/channel-texts.js'
import { mayCreate, privacyFlags, privacyKinds, type Privacy } from '../channel-settings/privacy.js'
import { dialogTexts } from '../dialog-texts.js'
import { ManageView } from '../groups/manage-view.js'
import { nobody, usersOf, type Chosen } from '../groups/permission.js'
import '../groups/picker.js'
import type { Session } from '../session/session.js'
import { choice } from '../settings/fields.js'
import { define } from '../view/view.js'

/** A channel as the API takes it. */
export interface NewChannel extends ReturnType<typeof privacyFlags> {
  readonly name: string
  readonly description: string
  readonly subscribers: readonly number[]
}

/** The kinds of channels that the user may create. */
export function creatableKinds({ state }: Session): Privacy[] {
  return privacyKinds.filter((kind) => mayCreate(kind, state))
}

/** The fields of a new channel. */
class NewChannelForm extends ManageView {
  static override properties = {
    ...ManageView.properties,
    create: { attribute: false },
    cancel: { attribute: false },
    privacy: { state: true },
    chosen: { state: true },
  }
  declare create: (channel: NewChannel) => void
  declare cancel: () => void
  declare privacy: Privacy
  declare chosen: Chosen

  constructor() {
    super()
    this.privacy = 'public'
    this.chosen = nobody
  }

  protected override firstUpdated(): void {
    this.querySelector('input')?.focus()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const { organization, me } = session.state
    const kinds = creatableKinds(session)
    // The organization may allow others only.
    const privacy = kinds.includes(this.privacy) ? this.privacy : (kinds[0] ?? 'public')
    const submit = (event: Event): void => {
      event.preventDefault()
      if (!(event.target instanceof HTMLFormElement)) return
      const fields = new FormData(event.target)
      const text = (name: string): string => {
        const value = fields.get(name)
        return typeof value === 'string' ? value.trim() : ''
      }
      const subscribers = new Set([me.user_id, ...usersOf(this.chosen, session.state)])
      this.create({
        name: text('name'),
        description: text('description'),
        subscribers: [...subscribers],
        ...privacyFlags(privacy),
      })
    }
    return html`<form @submit=${submit}>
      <label
        >${dialogTexts.channelName}
        <input
          name="name"
          required
          autocomplete="off"
          maxlength=${organization.max_stream_name_length ?? 60}
      /></label>
      <label
        >${dialogTexts.channelDescription}
        <input
          name="description"
          autocomplete="off"
          maxlength=${organization.max_stream_description_length ?? 1024}
      /></label>
      ${choice<Privacy>(
        channelTexts.privacy,
        privacy,
        kinds.map((kind) => [kind, channelTexts.privacyKinds[kind]] as const),
        (kind) => (this.privacy = kind),
      )}
      <p class="hint" role="status">${channelTexts.privacyHints[privacy]}</p>
      <div class="permission">
        <div aria-hidden="true">${dialogTexts.channelPeople}</div>
        <parley-picker
          .session=${session}
          .label=${dialogTexts.channelPeople}
          .chosen=${this.chosen}
          .offersUser=${({ user_id }: { user_id: number }) => user_id !== me.user_id}
          .offersGroup=${() => true}
          .change=${(next: Chosen) => (this.chosen = next)}
        ></parley-picker>
      </div>
      <div class="edit-buttons">
        <button class="plain" type="button" @click=${() => this.cancel()}>
          ${dialogTexts.cancel}
        </button>
        <button class="main">${dialogTexts.createChannel}</button>
      </div>
    </form>`
  }
}

define('parley-new-channel', NewChannelForm)
