import { ApiError } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { textsOf } from '../organization/form-field.js'
import type { Session } from '../session/session.js'
import { ask } from '../view/ask.js'
import { define } from '../view/view.js'
import { accountTexts } from './account-texts.js'
import { copyField } from './copy-field.js'
import { ReportingSection } from './reporting-section.js'

/** The user's own API key: the server shows it for the password only. */
class OwnKey extends ReportingSection {
  static override properties = {
    ...ReportingSection.properties,
    key: { state: true },
    needsCode: { state: true },
  }
  declare key: string | undefined
  /** Whether the product asks for a second factor. */
  declare needsCode: boolean

  constructor() {
    super()
    this.needsCode = false
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, key } = this
    if (session === undefined) return nothing
    const { realm_password_auth_enabled: hasPasswords } = session.state.organization
    return html`<fieldset>
      <legend tabindex="-1">${accountTexts.key}</legend>
      <p class="quiet-text">${accountTexts.keyAbout}</p>
      ${
        key !== undefined
          ? this.#shown(key)
          : hasPasswords === true
            ? this.#form(session)
            : html`<p class="quiet-text">${accountTexts.keyHidden}</p>`
      }
      <div class="edit-buttons">
        <button
          class="plain"
          type="button"
          @click=${(event: Event) => void this.#replace(event, session)}
        >
          ${accountTexts.replaceKey}
        </button>
      </div>
    </fieldset>`
  }

  #shown(key: string): TemplateResult {
    const hide = (): void => {
      this.key = undefined
      this.querySelector('legend')?.focus()
    }
    return html`${copyField(accountTexts.key, key, this.report)}
      <div class="edit-buttons">
        <button
          class="plain"
          type="button"
          aria-label=${accountTexts.hideWhat(accountTexts.key)}
          @click=${hide}
        >
          ${accountTexts.hideKey}
        </button>
      </div>`
  }

  #form(session: Session): TemplateResult {
    const { me } = session.state
    return html`<form @submit=${(event: Event) => void this.#submit(event, session)}>
      <label class="pair"
        ><span>${accountTexts.userName}</span>
        <input
          name="username"
          required
          dir="auto"
          autocomplete="username"
          value=${me.delivery_email}
        />
      </label>
      <label class="pair"
        ><span>${accountTexts.password}</span>
        <input type="password" name="password" required autocomplete="current-password" />
      </label>
      ${
        this.needsCode
          ? html`<label class="pair"
              ><span>${accountTexts.code}</span>
              <input name="code" required maxlength="100" autocomplete="one-time-code" />
            </label>`
          : nothing
      }
      <div class="edit-buttons">
        <button class="plain">${accountTexts.showKey}</button>
      </div>
    </form>`
  }

  async #submit(event: Event, session: Session): Promise<void> {
    event.preventDefault()
    const { target: form } = event
    if (!(form instanceof HTMLFormElement)) return
    const text = textsOf(form)
    const code = text('code')
    const password = form.querySelector<HTMLInputElement>('[type=password]')?.value ?? ''
    let foundKey: string | undefined
    const fetchKey = async (): Promise<void> => {
      const found = await session.client.api.fetchApiKey({
        username: text('username'),
        password,
        ...(code !== '' && { second_factor_code: code }),
      })
      if (found.user_id === session.state.me.user_id) foundKey = found.api_key
    }
    const needsCode = this.needsCode
    const isDone = await this.run(
      () => fetchKey().catch((error: unknown) => this.#noteFactor(error)),
      accountTexts.keyShown,
      accountTexts.keyNotShown,
    )
    if (isDone && foundKey === undefined) {
      this.note = accountTexts.keyNotShown(accountTexts.otherAccount)
    }
    if (foundKey !== undefined) await this.#show(foundKey)
    else if (this.needsCode && !needsCode) {
      await this.updateComplete
      this.querySelector<HTMLElement>('[name=code]')?.focus()
    }
  }

  #noteFactor(error: unknown): never {
    if (error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED') this.needsCode = true
    throw error
  }

  async #replace({ currentTarget }: Event, session: Session): Promise<void> {
    if (!(currentTarget instanceof HTMLElement)) return
    if (!(await ask(currentTarget, accountTexts.replaceQuestion, accountTexts.replace))) return
    let replaced: string | undefined
    await this.run(
      async () => {
        replaced = (await session.client.api.regenerateOwnApiKey()).api_key
      },
      accountTexts.keyReplaced,
      accountTexts.keyNotReplaced,
    )
    if (replaced !== undefined) await this.#show(replaced)
  }

  async #show(key: string): Promise<void> {
    this.key = key
    await this.updateComplete
    const field = this.querySelector<HTMLInputElement>('.copy-field input')
    field?.focus()
    field?.select()
  }
}

define('parley-own-key', OwnKey)
