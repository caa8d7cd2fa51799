import { ApiError, ChatClient, type Api } from '@parley/client'
import { css, html, LitElement, nothing, type TemplateResult } from 'lit'

import { styles } from '../style/styles.js'
import { dialogTexts } from '../dialog-texts.js'
import { texts } from '../texts.js'
import { reasonOf } from '../view/reason.js'
import { define } from '../view/view.js'
import type { Login } from './saved-login.js'

const maxDevelopmentUsers = 30

const loginStyle = css`
  .login {
    width: min(340px, 100% - 32px);
    margin: 12vh auto 32px;
  }
  .login h1 {
    margin: 0 0 20px;
    font: 600 1.5em/1.3 var(--font);
  }
  .login h2 {
    margin: 28px 0 8px;
    color: var(--text-quiet);
    font: 600 0.85em/1.3 var(--font);
  }
  .login label {
    display: block;
    margin-bottom: 12px;
    font-weight: 500;
  }
  .login input {
    width: 100%;
    margin-top: 4px;
  }
  .login .main {
    width: 100%;
  }
  .login-users {
    display: grid;
    gap: 6px;
  }
  .login .hint {
    margin: 0 0 8px;
  }
  .login-users button {
    text-align: start;
  }
`

/** Logs in with a password of the chat or, on a development server, with one click. */
class LoginForm extends LitElement {
  static override properties = {
    url: {},
    notice: {},
    settings: { state: true },
    users: { state: true },
    problem: { state: true },
    isBusy: { state: true },
    isReady: { state: true },
  }
  static override styles = [...styles, loginStyle]
  declare url: string
  /** Why the user has to log in. */
  declare notice: string | undefined
  declare settings: Api.GetServerSettingsResult | undefined
  /** Addresses of users who need no password. */
  declare users: readonly string[] | undefined
  declare problem: string | undefined
  declare isBusy: boolean
  /** Whether it is known how users can log in, so that nothing moves when they do. */
  declare isReady: boolean
  #client: ChatClient | undefined

  constructor() {
    super()
    this.isReady = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#client = new ChatClient({ url: this.url })
    void this.#load(this.#client)
  }

  async #load({ api }: ChatClient): Promise<void> {
    try {
      this.settings = await api.getServerSettings()
      if (!this.settings.authentication_methods.dev) return
      const { direct_admins, direct_users } = await api.devListUsers()
      this.users = [...direct_admins, ...direct_users]
        .slice(0, maxDevelopmentUsers)
        .map(({ email }) => email)
    } catch (error) {
      this.problem = reasonOf(error)
    } finally {
      this.isReady = true
    }
  }

  protected override render(): TemplateResult {
    const name = this.settings?.realm_name
    if (!this.isReady) return html`<main class="login"></main>`
    return html`<main class="login">
      <h1>${name === undefined ? texts.login : dialogTexts.loginTo(name)}</h1>
      ${this.notice == null ? nothing : html`<p role="status">${this.notice}</p>`}
      ${this.#developmentUsers()}
      <form @submit=${this.#submit}>
        <label>
          ${dialogTexts.email}
          <input name="email" type="text" inputmode="email" autocomplete="username" required />
        </label>
        <label>
          ${dialogTexts.password}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <button class="main" ?disabled=${this.isBusy}>${texts.login}</button>
        <p class="problem" role="alert">${this.problem ?? nothing}</p>
      </form>
    </main>`
  }

  #developmentUsers(): TemplateResult | typeof nothing {
    if (this.users === undefined) return nothing
    return html`<h2>${dialogTexts.developmentUsers}</h2>
      <p class="hint">${dialogTexts.developmentHint}</p>
      <div class="login-users">
        ${this.users.map(
          (email) =>
            html`<button class="plain" @click=${() => this.#develop(email)}>${email}</button>`,
        )}
      </div>
      <h2>${dialogTexts.orPassword}</h2>`
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const { target } = event
    if (!(target instanceof HTMLFormElement)) return
    const [username = '', password = ''] = [...target.querySelectorAll('input')].map(
      ({ value }) => value,
    )
    void this.#try(async ({ api }) => api.fetchApiKey({ username, password }))
  }

  #develop(username: string): void {
    void this.#try(async ({ api }) => api.devFetchApiKey({ username }))
  }

  async #try(
    login: (client: ChatClient) => Promise<{ readonly email: string; readonly api_key: string }>,
  ): Promise<void> {
    if (this.#client === undefined) return
    this.isBusy = true
    this.problem = undefined
    try {
      const { email, api_key: apiKey } = await login(this.#client)
      const detail: Login = { type: 'apiKey', email, apiKey }
      this.dispatchEvent(new CustomEvent('parley-login', { detail, bubbles: true, composed: true }))
    } catch (error) {
      const isWrong = error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED'
      this.problem = isWrong ? dialogTexts.loginFailed : reasonOf(error)
    } finally {
      this.isBusy = false
    }
  }
}

define('parley-login', LoginForm)
