import type { Credentials } from '@parley/client'
import { css, html, LitElement, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { useSession } from '../session/shared-sessions.js'
import { texts } from '../texts.js'
import { define } from '../view/view.js'

const mostShown = 99

/** The number of unread messages, for a link to the chat; nothing if there are none. */
export class ParleyUnreadBadge extends LitElement {
  static override properties = { url: {} }
  static override styles = css`
    span {
      display: inline-block;
      min-width: 1.1em;
      padding: 0.1em 0.35em;
      border-radius: 1em;
      background: var(--parley-count-background, #c2293f);
      color: var(--parley-count-color, #fff);
      font: 600 0.75em/1.3 var(--parley-font, system-ui, sans-serif);
      text-align: center;
    }
  `

  /** Address of the chat. @default that of the page's own origin */
  declare url: string | undefined
  /** The credentials of the user. @default those of the page's session */
  credentials: Credentials = { type: 'session' }
  #used: ReturnType<typeof useSession> | undefined

  constructor() {
    super()
    followState(this, ({ unread }) => unread.total)
  }

  get session(): Session | undefined {
    return this.#used?.session
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const { href } = new URL(this.url ?? '/', document.baseURI)
    this.#used = useSession(href.replace(/\/$/, ''), this.credentials)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#used?.release()
    this.#used = undefined
  }

  protected override render(): TemplateResult | typeof nothing {
    const count = this.session?.state.unread.total ?? 0
    if (count === 0) return nothing
    return html`<span part="count" role="img" aria-label=${texts.badge(count)}
      >${count > mostShown ? `${mostShown}+` : count}</span
    >`
  }
}

define('parley-unread-badge', ParleyUnreadBadge)
