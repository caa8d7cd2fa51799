import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import { avatar } from '../view/avatar.js'
import { define } from '../view/view.js'
import { profileTexts } from './profile-texts.js'
import { ReportingSection } from './reporting-section.js'

/** The user's picture. */
class OwnPicture extends ReportingSection {
  constructor() {
    super()
    followState(this, ({ users }) => users)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const { me, organization } = session.state
    const { realm_avatar_changes_disabled, server_avatar_changes_disabled } = organization
    const isLocked =
      realm_avatar_changes_disabled === true &&
      (!me.is_admin || server_avatar_changes_disabled === true)
    const open = (): void => this.querySelector('input')?.click()
    return html`<fieldset>
      <legend>${profileTexts.picture}</legend>
      <div class="picture">
        ${avatar(session, me.user_id)}
        ${
          isLocked
            ? html`<span class="quiet-text">${profileTexts.pictureLocked}</span>`
            : html`<button class="plain upload" @click=${open}>${profileTexts.upload}</button>
                ${
                  me.avatar_source === 'U'
                    ? html`<button class="plain" @click=${this.#delete}>
                        ${profileTexts.deletePicture}
                      </button>`
                    : nothing
                }
                <input
                  type="file"
                  accept="image/*"
                  hidden
                  aria-label=${profileTexts.upload}
                  @change=${this.#upload}
                />`
        }
      </div>
    </fieldset>`
  }

  readonly #upload = ({ target }: Event): void => {
    const { session } = this
    if (!(target instanceof HTMLInputElement) || session === undefined) return
    const file = target.files?.[0]
    target.value = ''
    if (file === undefined) return
    void this.save(profileTexts.picture, () => session.client.api.uploadAvatar({ file }))
  }

  readonly #delete = async (): Promise<void> => {
    const { session } = this
    if (session === undefined) return
    // This button goes with the picture.
    this.querySelector<HTMLElement>('.upload')?.focus()
    await this.delete(() => session.client.api.removeAvatar())
  }
}

define('parley-own-picture', OwnPicture)
