import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import { texts } from '../texts.js'
import { after, now } from '../timers.js'
import { define, View } from './view.js'

/** A connection that is back at once is not worth a word. */
const patienceMilliseconds = 2000

/** Says that the chat is not connected, and why. */
class Banner extends View {
  #cancel: (() => void) | undefined

  constructor() {
    super()
    followState(this, ({ connection }) => connection)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#cancel?.()
  }

  protected override render(): TemplateResult {
    return html`<div role="status">${this.#content()}</div>`
  }

  #content(): TemplateResult | typeof nothing {
    const { session } = this
    this.#cancel?.()
    if (session === undefined) return nothing
    const { connection, isRegistered } = session.state
    switch (connection.kind) {
      case 'replaced':
        return html`<div class="banner">${texts.replaced}</div>`
      case 'signedOut':
        return html`<div class="banner">${texts.signedOut}</div>`
      case 'refused':
        return html`<div class="banner">${texts.refused} ${connection.error.message}</div>`
      case 'connecting': {
        const since = connection.since ?? now()
        const left = since + patienceMilliseconds - now()
        if (!isRegistered && !connection.isOffline) return nothing
        if (left > 0 && !connection.isOffline) {
          this.#cancel = after(left, () => this.requestUpdate())
          return nothing
        }
        return html`<div class="banner">
          ${connection.isOffline ? texts.offline : texts.reconnecting}
          <button class="plain" @click=${() => session.client.retryNow()}>${texts.retryNow}</button>
        </div>`
      }
      case 'connected':
      case 'closed':
        return nothing
    }
  }
}

define('parley-banner', Banner)
