import { ApiError, ChatClient, type Credentials } from '@parley/client'
import { html, LitElement, nothing, type TemplateResult } from 'lit'

import '../chat/parley-chat.js'
import { styles } from '../style/styles.js'
import { texts } from '../texts.js'
import { reasonOf } from '../view/reason.js'
import { forgetTexts, loadLogin, saveLogin, type Login } from './saved-login.js'

/** The whole page: the chat, or a login form before it. */
export class ChatPageElement extends LitElement {
  static override properties = {
    basePath: { attribute: 'base-path' },
    heading: {},
    loginUrl: { attribute: 'login-url' },
    credentials: { state: true },
    isLoginNeeded: { state: true },
    problem: { state: true },
  }
  static override styles = styles
  declare basePath: string
  declare heading: string
  declare loginUrl: string | undefined
  declare credentials: Credentials | undefined
  declare isLoginNeeded: boolean
  declare problem: string | undefined
  /** Whether the browser keeps the login. */
  #isSaved = false
  /** The login whose key is being made invalid. */
  #ending: Credentials | undefined

  get #url(): string {
    return `${document.location.origin}${this.basePath ?? ''}`
  }

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('storage', this.#follow)
    window.addEventListener('pageshow', this.#follow)
    const saved = loadLogin(this.#url)
    if (saved === undefined) void this.#trySession()
    else this.#use(saved)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('storage', this.#follow)
    window.removeEventListener('pageshow', this.#follow)
  }

  /** Another tab of this browser has logged in or out. */
  readonly #follow = (): void => {
    const { credentials } = this
    const saved = loadLogin(this.#url)
    if (credentials?.type === 'apiKey' && credentials.apiKey !== saved?.apiKey) {
      // A login that the browser could not keep lasts as long as the page.
      if (saved === undefined && !this.#isSaved) return
      this.#leave(saved)
      if (saved === undefined) this.#needLogin()
    }
    // For another user the chat begins anew.
    void this.updateComplete.then(() => {
      if (saved !== undefined && this.credentials === undefined) this.#use(saved)
    })
  }

  #use(login: Login): void {
    this.problem = undefined
    this.credentials = login
    this.#isSaved = loadLogin(this.#url)?.apiKey === login.apiKey
  }

  /** Whether the browser has a session of the product. */
  async #trySession(): Promise<void> {
    const client = new ChatClient({ url: this.#url })
    try {
      await client.api.getOwnUser()
      this.credentials = { type: 'session' }
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) {
        this.problem = reasonOf(error)
        return
      }
      // A login that sends its users straight back would do so without end.
      const isSentBack = document.referrer === document.location.href.split('#', 1)[0]
      if (isSentBack || error.code !== 'UNAUTHORIZED') this.problem = texts.signedOut(error.code)
      await this.#visit(client)
    }
  }

  /** Whether the organization can be read without an account. */
  async #visit({ api }: ChatClient): Promise<void> {
    try {
      const { realm_web_public_access_enabled } = await api.getServerSettings()
      if (realm_web_public_access_enabled === true) this.credentials = { type: 'visitor' }
      else this.#needLogin()
    } catch {
      // The form says what is wrong.
      this.#needLogin()
    }
  }

  #needLogin(): void {
    this.isLoginNeeded = true
    const { loginUrl } = this
    if (loginUrl === undefined || loginUrl === null) {
      import('./login-form.js').catch((error: unknown) => {
        this.isLoginNeeded = false
        this.problem = reasonOf(error)
      })
      return
    }
    // The user reads first what went wrong.
    if (this.problem !== undefined) return
    const { pathname, search, hash, origin } = document.location
    const url = new URL(loginUrl, origin)
    url.searchParams.set('next', `${pathname}${search}${hash}`)
    document.location.replace(url)
  }

  protected override render(): TemplateResult {
    const { credentials } = this
    if (credentials !== undefined) {
      return html`<main class="page">
        <h1 class="only-read">${this.heading}</h1>
        <parley-chat
          url=${this.#url}
          routing="hash"
          .credentials=${credentials}
          @parley-signed-out=${this.#signedOut}
          @parley-unread=${this.#countUnread}
          @parley-login-request=${this.#logout}
          @parley-user-menu=${this.#addLogout}
        ></parley-chat>
      </main>`
    }
    if (this.isLoginNeeded && !this.loginUrl) {
      return html`<parley-login
        notice=${this.problem ?? nothing}
        url=${this.#url}
        @parley-login=${this.#login}
      ></parley-login>`
    }
    return html`<p class="note" role="status">
      ${this.problem ?? texts.connecting}
      ${
        this.problem === undefined
          ? nothing
          : html`<button class="plain" @click=${this.#tryAgain}>
              ${this.isLoginNeeded ? texts.login : texts.tryAgain}
            </button>`
      }
    </p>`
  }

  readonly #tryAgain = (): void => {
    this.problem = undefined
    if (this.isLoginNeeded) this.#needLogin()
    else void this.#trySession()
  }

  readonly #login = ({ detail }: CustomEvent<Login>): void => {
    saveLogin(this.#url, detail)
    this.#use(detail)
  }

  /** The key or the session is no longer valid. */
  readonly #signedOut = ({ detail }: HTMLElementEventMap['parley-signed-out']): void => {
    const { credentials } = this
    if (credentials === this.#ending) return
    if (credentials?.type !== 'visitor') this.problem = texts.signedOut(detail)
    if (credentials?.type !== 'session') {
      this.#logout()
      return
    }
    // The user goes on after the next login, so texts that were not sent stay.
    this.credentials = undefined
    document.title = this.heading
    this.#needLogin()
  }

  readonly #countUnread = ({ detail }: HTMLElementEventMap['parley-unread']): void => {
    document.title = detail === 0 ? this.heading : `(${detail}) ${this.heading}`
  }

  /** The product ends its sessions with a page of its own. */
  readonly #addLogout = ({ detail }: HTMLElementEventMap['parley-user-menu']): void => {
    if (this.credentials?.type !== 'apiKey') return
    detail.push({ label: texts.logout, act: (opener) => this.#askLogout(opener) })
  }

  async #askLogout(opener: HTMLElement): Promise<void> {
    const { credentials } = this
    if (credentials?.type !== 'apiKey') return
    const { chooseLogout, endKey } = await import('./log-out.js')
    const where = await chooseLogout(opener)
    if (where === '') return
    let problem: string | undefined
    this.#ending = credentials
    try {
      if (where === 'everywhere') await endKey(this.#url, credentials)
    } catch (error) {
      problem = texts.failed(reasonOf(error))
    }
    this.#ending = undefined
    // Another tab may have logged out or in meanwhile.
    if (this.credentials !== credentials) return
    this.problem = problem
    this.#logout()
  }

  readonly #logout = (): void => {
    const { credentials } = this
    const saved = loadLogin(this.#url)
    const own = credentials?.type === 'apiKey' ? credentials.apiKey : undefined
    // The login is that of another tab.
    if (saved !== undefined && saved.apiKey !== own) {
      this.#leave(saved)
      this.#follow()
      return
    }
    saveLogin(this.#url, undefined)
    this.#leave()
    this.#needLogin()
  }

  /**
   * Shows and keeps nothing of the user any more.
   *
   * @param next the login of another tab, whose texts stay.
   */
  #leave(next?: Login): void {
    forgetTexts(next === undefined ? ['localStorage', 'sessionStorage'] : ['sessionStorage'])
    this.credentials = undefined
    document.title = this.heading
  }
}
