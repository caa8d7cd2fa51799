import type { PendingMessage } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { placeKey, type Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { avatar } from '../view/avatar.js'
import { define, View } from '../view/view.js'

const meCommand = '/me '

/** The user's messages to a place that the server does not have yet. */
class Pending extends View {
  static override properties = { ...View.properties, place: { attribute: false } }
  declare place: Place | undefined
  #session: Session | undefined
  #stop: (() => void) | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stop?.()
    this.#session = undefined
  }

  protected override willUpdate(): void {
    const { session } = this
    if (session === this.#session) return
    this.#stop?.()
    this.#session = session
    this.#stop = session?.client.outbox.subscribe(() => this.requestUpdate())
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, place } = this
    if (session === undefined || place === undefined) return nothing
    const key = placeKey(place)
    const pending = session.client.outbox.messages.filter(
      (message) => placeKey(session.placeOfDestination(message.to)) === key,
    )
    if (pending.length === 0) return nothing
    return html`${repeat(
      pending,
      ({ localId }) => localId,
      (message, index) => this.#row(message, session, index === 0),
    )}`
  }

  #row(message: PendingMessage, session: Session, isOldest: boolean): TemplateResult {
    const { me } = session.state
    const { localId, state, content, error } = message
    const { outbox } = session.client
    const discard = (): void => {
      outbox.discard(localId)
    }
    const isMe = content.startsWith(meCommand)
    const isFirst = isOldest || isMe
    const classes = `${isFirst ? 'first' : ''} ${isMe ? 'me' : ''}`
    const text = isMe ? content.slice(meCommand.length) : content
    return html`<div class="row pending ${classes} ${state}" part="pending-message">
      <div class="margin">${isFirst ? avatar(session, me.user_id, me.avatar_url) : nothing}</div>
      <div class="body">
        ${
          isFirst
            ? html`<div class="head"><span class="sender">${me.full_name}</span></div>`
            : nothing
        }
        <div class="content plain-text" dir="auto">${text}</div>
        ${
          state === 'failed'
            ? html`<div class="failure" role="alert">
                ${texts.notSent}${error === undefined ? nothing : `: ${error.message}`}
                <button class="plain" @click=${() => outbox.retry(localId)}>${texts.retry}</button>
                <button class="plain" @click=${() => this.#edit(message)}>${texts.edit}</button>
                <button class="plain" @click=${discard}>${texts.discard}</button>
              </div>`
            : nothing
        }
        ${
          state === 'waiting' && session.state.connection.kind !== 'connected'
            ? html`<div class="mark">${texts.waiting}</div>`
            : nothing
        }
      </div>
    </div>`
  }

  /** Its text goes back to the composer. */
  #edit({ localId, content }: PendingMessage): void {
    if (this.session?.client.outbox.discard(localId) === true) this.tell('parley-restore', content)
  }
}

define('parley-pending', Pending)
