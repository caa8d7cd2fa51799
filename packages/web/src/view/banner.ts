import { html, nothing, type TemplateResult } from 'lit'

import { placeKey, type Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { after, now } from '../timers.js'
import { define, View } from './view.js'

/** A connection that is back at once is not worth a word. */
const patienceMilliseconds = 2000
const firstPatienceMilliseconds = 4000

/** Says that the chat is not connected, and why. */
class Banner extends View {
  static override properties = { ...View.properties, place: { attribute: false } }
  /** The shown place: it has its own words about messages that were not sent there. */
  declare place: Place | undefined
  #cancel: (() => void) | undefined
  #followed: Session | undefined
  #unfollow: (() => void) | undefined
  readonly #begunAt = now()

  constructor() {
    super()
    followState(this, ({ connection }) => connection)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#cancel?.()
    this.#unfollow?.()
    this.#followed = undefined
  }

  protected override willUpdate(): void {
    const { session } = this
    if (session === this.#followed) return
    this.#unfollow?.()
    this.#followed = session
    this.#unfollow = session?.client.outbox.subscribe(() => this.requestUpdate())
  }

  protected override render(): TemplateResult {
    return html`<div role="status">${this.#content()}${this.#failures()}</div>`
  }

  /** Messages that were not sent, to conversations that are not shown. */
  #failures(): TemplateResult | typeof nothing {
    const { session, place } = this
    if (session?.state.isRegistered !== true) return nothing
    const places = session.client.outbox.messages
      .filter(({ state }) => state === 'failed')
      .map(({ to }) => session.placeOfDestination(to))
      .filter((failed) => place === undefined || placeKey(failed) !== placeKey(place))
    const [first] = places
    if (first === undefined) return nothing
    return html`<div class="banner">
      ${texts.notSentElsewhere(places.length)}
      <button class="plain" @click=${() => this.tell('parley-go', { place: first })}>
        ${texts.show}
      </button>
    </div>`
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
        return html`<div class="banner">${texts.signedOut(connection.code)}</div>`
      case 'refused':
        return html`<div class="banner">${texts.refused} ${connection.error.message}</div>`
      case 'connecting': {
        const { since = this.#begunAt, error } = connection
        // It may be registered, and never have been connected.
        const isLost = isRegistered && connection.since !== undefined
        const patience = isLost ? patienceMilliseconds : firstPatienceMilliseconds
        const left = since + patience - now()
        if (left > 0 && !connection.isOffline) {
          this.#cancel = after(left, () => this.requestUpdate())
          return nothing
        }
        return html`<div class="banner">
          ${
            connection.isOffline
              ? texts.offline
              : isLost
                ? texts.reconnecting
                : isRegistered && error === undefined
                  ? texts.connecting
                  : texts.unreachable
          }
          <button class="plain" @click=${() => session.client.retryNow()}>${texts.retryNow}</button>
        </div>`
      }
      case 'connected':
      case 'visiting':
      case 'closed':
        return nothing
    }
  }
}

define('parley-banner', Banner)
