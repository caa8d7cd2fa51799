import { directKey, topicKey } from '@parley/client'
import { html, type TemplateResult } from 'lit'

import type { Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import { dialogTexts } from '../dialog-texts.js'
import { after, now } from '../timers.js'
import { define, View } from './view.js'

/** Used where the server names none. */
const usualExpiryMilliseconds = 45_000

/** The users who are writing to the shown place. They have their line also while nobody is. */
class TypingLine extends View {
  static override properties = { ...View.properties, place: { attribute: false } }
  declare place: Place
  #cancel: (() => void) | undefined

  constructor() {
    super()
    followState(this, ({ typing }) => typing)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#cancel?.()
  }

  protected override render(): TemplateResult {
    return html`<div aria-hidden="true">${dialogTexts.typing(this.#names())}</div>`
  }

  #names(): string[] {
    const { session, place } = this
    this.#cancel?.()
    if (session?.state.isRegistered !== true) return []
    const { typing, me, organization } = session.state
    const key =
      place.kind === 'topic'
        ? topicKey(place.channelId, place.topic)
        : place.kind === 'direct'
          ? directKey(place.userIds, me.user_id)
          : ''
    const expiry =
      organization.server_typing_started_expiry_period_milliseconds ?? usualExpiryMilliseconds
    const fresh = [...(typing.get(key) ?? [])].filter(
      ([userId, at]) => userId !== me.user_id && at > now() - expiry,
    )
    if (fresh.length > 0) {
      const next = Math.min(...fresh.map(([, at]) => at)) + expiry - now()
      this.#cancel = after(next + 1, () => this.requestUpdate())
    }
    return fresh.map(([userId]) => session.nameOf(userId))
  }
}

define('parley-typing', TypingLine)
