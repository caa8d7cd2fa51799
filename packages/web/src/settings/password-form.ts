import { html, type TemplateResult } from 'lit'

import { define } from '../view/view.js'
import { profileTexts } from './profile-texts.js'
import { ReportingSection } from './reporting-section.js'

/** Changes the password that the chat stores. */
class PasswordForm extends ReportingSection {
  protected override render(): TemplateResult {
    return html`<form @submit=${this.#submit}>
      <fieldset>
        <legend>${profileTexts.password}</legend>
        <label class="pair"
          ><span>${profileTexts.oldPassword}</span>
          <input type="password" name="old" required autocomplete="current-password" />
        </label>
        <label class="pair"
          ><span>${profileTexts.newPassword}</span>
          <input type="password" name="new" required autocomplete="new-password" />
        </label>
        <div class="edit-buttons">
          <button class="plain">${profileTexts.changePassword}</button>
          <span class="quiet-text">${profileTexts.passwordHint}</span>
        </div>
      </fieldset>
    </form>`
  }

  readonly #submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const { session } = this
    const { target: form } = event
    if (session === undefined || !(form instanceof HTMLFormElement)) return
    const fields = new FormData(form)
    const text = (name: string): string => {
      const value = fields.get(name)
      return typeof value === 'string' ? value : ''
    }
    const isSaved = await this.save(profileTexts.password, () =>
      session.client.api.updateSettings({
        old_password: text('old'),
        new_password: text('new'),
      }),
    )
    if (isSaved) form.reset()
  }
}

define('parley-password', PasswordForm)
