import { html, nothing, type TemplateResult } from 'lit'

import type { Place } from '../place.js'
import type { Session } from '../session/session.js'
import { statusMark } from './emoji-mark.js'
import { icon } from './icons.js'

/** Whether the other user of a conversation is there; a picture for several. */
export function presenceDot(session: Session, place: Place): TemplateResult {
  const userId = otherUser(place)
  if (userId === undefined) return icon('messageSquare')
  return html`<parley-presence
    class="dot away"
    .session=${session}
    .userId=${userId}
  ></parley-presence>`
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
