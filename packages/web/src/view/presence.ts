import { html, nothing, type TemplateResult } from 'lit'

import type { Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { now } from '../timers.js'
import { statusMark } from './emoji-mark.js'
import { icon } from './icons.js'

/** Used where the server names none. */
const usualOfflineSeconds = 140

/** Whether the other user of a conversation is there; a picture for several. */
export function presenceDot(session: Session, place: Place): TemplateResult {
  const userId = otherUser(place)
  if (userId === undefined) return icon('messageSquare')
  const kind = presenceKind(session, userId)
  return html`<span class="dot ${kind}"
    >${kind === 'away' ? '' : html`<span class="only-read">${texts[kind]}</span>`}</span
  >`
}

/** The emoji of the other user of a conversation. */
export function statusOf(session: Session, place: Place): unknown {
  const userId = otherUser(place)
  return userId === undefined ? nothing : statusMark(session, userId)
}

/** The other user of a conversation of two. */
function otherUser(place: Place): number | undefined {
  const userIds = place.kind === 'direct' ? place.userIds : []
  return userIds.length === 1 ? userIds[0] : undefined
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
