import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { after, now } from '../timers.js'
import { define, View } from './view.js'

/** Used where the server names none. */
const usualOfflineSeconds = 140
const lookMilliseconds = 30_000

/** Whether a user is there. When that changes, the elements around it are not rendered. */
class PresenceDot extends View {
  static override properties = { ...View.properties, userId: { attribute: false } }
  declare userId: number
  #cancel: (() => void) | undefined

  constructor() {
    super()
    followState(this, ({ presence }) => presence.get(this.userId))
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#cancel?.()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, userId } = this
    this.#cancel?.()
    if (session === undefined) return nothing
    const kind = presenceKind(session, userId)
    this.className = `dot ${kind}`
    if (kind === 'away') return nothing
    // No event says that a user has gone.
    this.#cancel = after(lookMilliseconds, () => this.requestUpdate())
    return html`<span class="only-read">${texts[kind]}</span>`
  }
}

export function presenceKind(session: Session, userId: number): 'active' | 'idle' | 'away' {
  const { presence, organization } = session.state
  const known = presence.get(userId)
  const offline = organization.server_presence_offline_threshold_seconds ?? usualOfflineSeconds
  const since = now() / 1000 - offline
  if (known === undefined) return 'away'
  if (known.active_timestamp > since) return 'active'
  return known.idle_timestamp > since ? 'idle' : 'away'
}

define('parley-presence', PresenceDot)
