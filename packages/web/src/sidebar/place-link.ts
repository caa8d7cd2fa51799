import { html, nothing, type TemplateResult } from 'lit'

import { hashOf, placeKey, type Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { statusMark } from '../view/emoji-mark.js'
import { icon, type IconName } from '../view/icons.js'
import { placeName } from '../view/place-name.js'
import { Row } from '../view/row.js'
import { define, View } from '../view/view.js'

function isOther(place: Place, before: Place | undefined): boolean {
  return before === undefined || placeKey(place) !== placeKey(before)
}

/** A link to a conversation, in a list of them. */
class PlaceLink extends Row {
  static override properties = {
    ...View.properties,
    place: { attribute: false, hasChanged: isOther },
    name: { attribute: false },
    picture: { attribute: false },
    count: { attribute: false },
    isMuted: { attribute: false },
    isHere: { attribute: false },
  }
  declare place: Place
  /** By default, that of the place. */
  declare name: string | undefined
  /** Topics are branches of their channel; a user has a dot instead. */
  declare picture: IconName | 'branch' | undefined
  /** Of unread messages; of starred ones, the total. */
  declare count: number
  declare isMuted: boolean
  declare isHere: boolean

  constructor() {
    super()
    // The users of direct conversations.
    followState(this, ({ users }) => this.name ?? users)
    followState(this, ({ statuses }) => this.name ?? statuses)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, place, picture = 'messageSquare', count, isMuted } = this
    if (session === undefined) return nothing
    const name = this.name ?? placeName(place, session)
    const userId =
      place.kind === 'direct' && place.userIds.length === 1 ? place.userIds[0] : undefined
    const isTopic = picture === 'branch'
    const isTotal = place.kind === 'starred'
    return html`<a
      class="link ${isTopic ? 'topic' : ''} ${isMuted ? 'muted' : ''} ${isTotal ? 'total' : count > 0 ? 'unread' : ''}"
      part="sidebar-link"
      href=${hashOf({ place })}
      aria-current=${this.isHere ? 'page' : nothing}
      title=${name}
      >${isTopic ? html`<span class="branch"></span>` : userId === undefined ? icon(picture) : presenceDot(session, userId)}<span
        class="name"
        dir="auto"
        >${name}${userId === undefined ? nothing : html` ${statusMark(session, userId)}`}</span
      >${isMuted ? html`<span class="only-read">${texts.muted}</span>` : nothing}${
        count > 0
          ? html`<span class="count" part="count"
              ><span aria-hidden="true">${count}</span
              ><span class="only-read"
                >${isTotal ? texts.messageCount(count) : texts.unread(count)}</span
              ></span
            >`
          : nothing
      }</a
    >`
  }
}

/** Whether a user is there. */
function presenceDot(session: Session, userId: number): TemplateResult {
  return html`<parley-presence
    class="dot away"
    .session=${session}
    .userId=${userId}
  ></parley-presence>`
}

define('parley-link', PlaceLink)
export type { PlaceLink }
