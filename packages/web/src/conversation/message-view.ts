import type { Message } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'

import { htmlContent } from '../html/html-content.js'
import { shownContent } from '../html/shown-content.js'
import { hashOf } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { avatar } from '../view/avatar.js'
import { statusMark } from '../view/emoji-mark.js'
import { placeName } from '../view/place-name.js'
import { clockTime, dayName, localTime } from '../view/times.js'
import type { MessageRow } from './message-rows.js'
import { reactionsOf } from './reactions.js'

/** What the conversation knows about a row besides its message. */
export interface RowState {
  readonly session: Session
  /** Where the keyboard is in the list, or the pointer. */
  readonly isActive: boolean
  /** The one that is reached by Tab. */
  readonly isCurrent: boolean
  /** A link leads to it. */
  readonly isMarked: boolean
  readonly isEditing: boolean
  /** It is shown although its sender is muted. */
  readonly isRevealed: boolean
  /** HTML with what a search has found. */
  readonly found: string | undefined
}

/** One message with what is above it; rendered again only if something of it has changed. */
export function messageView(row: MessageRow, state: RowState): TemplateResult {
  const { message, isFirst, hasDay, hasPlace, isFirstUnread } = row
  const { session, isActive, isCurrent, isMarked, isEditing, isRevealed, found } = state
  const isHidden = !isRevealed && session.state.mutedUsers.has(message.sender_id)
  const sender = session.state.users.get(message.sender_id)
  const time = clockTime(message.timestamp)
  const content = guard(
    [
      message,
      sender,
      session.state.statuses.get(message.sender_id),
      isFirst,
      isActive,
      isEditing,
      isHidden,
      found,
      time,
      session.state.emoji,
      hasWidgets(),
    ],
    () => (isHidden ? hiddenContent(isActive) : contentOf(row, state)),
  )
  const classes = `row${isFirst ? ' first' : ''}${isMarked ? ' marked' : ''}${isActive ? ' active' : ''}${message.is_me_message ? ' me' : ''}`
  return html`<div class="message" data-id=${message.id}>
    ${hasDay ? html`<div class="day" role="separator">${dayName(message.timestamp)}</div>` : nothing}
    ${
      isFirstUnread
        ? html`<div class="unread-line" part="unread-line">${texts.newMessages}</div>`
        : nothing
    }
    ${hasPlace ? placeBar(row, session) : nothing}
    <div
      class=${classes}
      part="message"
      role="article"
      aria-setsize="-1"
      aria-posinset=${message.id}
      aria-label=${isHidden ? texts.hiddenSender : nameOf(row, session)}
      tabindex=${isCurrent ? 0 : -1}
    >
      ${content}
    </div>
  </div>`
}

/** Whether what shows polls and lists of tasks is loaded. */
function hasWidgets(): boolean {
  return customElements.get('parley-widget') !== undefined
}

/** Loads it if one of the messages needs it. Until then, and without it, they are shown as text. */
export function loadWidgets(messages: readonly Message[], loaded: () => void): void {
  if (hasWidgets() || messages.every(({ submessages }) => submessages.length === 0)) return
  import('../on-demand.js').then(loaded, () => {})
}

function nameOf({ message }: MessageRow, session: Session): string {
  const name = session.nameOf(message.sender_id) || message.sender_full_name
  return `${name}, ${clockTime(message.timestamp)}`
}

function placeBar({ message }: MessageRow, session: Session): TemplateResult {
  const place = session.placeOf(message)
  return html`<div class="place-bar">
    <a href=${hashOf({ place })} tabindex="-1">${placeName(place, session)}</a>
  </div>`
}

function hiddenContent(isActive: boolean): TemplateResult {
  return html`<div class="margin"></div>
    <div class="body mark">
      ${texts.hiddenSender}
      <button class="mark" data-action="reveal" tabindex=${isActive ? 0 : -1}>${texts.show}</button>
    </div>`
}

function contentOf(row: MessageRow, state: RowState): TemplateResult {
  const { message, isFirst } = row
  const { session, isActive, isEditing } = state
  const name = session.nameOf(message.sender_id) || message.sender_full_name
  const time = html`<time
    datetime=${new Date(message.timestamp * 1000).toISOString()}
    title=${localTime(message.timestamp)}
    >${clockTime(message.timestamp)}</time
  >`
  return html`
    <div class="margin">
      ${isFirst ? avatar(session, message.sender_id, message.avatar_url) : time}
    </div>
    <div class="body">
      ${
        isFirst
          ? html`<div class="head">
              <button
                class="sender"
                part="sender"
                data-action="user"
                aria-haspopup="dialog"
                tabindex=${isActive ? 0 : -1}
              >
                ${name}</button
              >${statusMark(session, message.sender_id)}${time}${editedMark(row, state)}
            </div>`
          : nothing
      }
      ${
        isEditing
          ? html`<parley-edit .session=${session} .message=${message}></parley-edit>`
          : message.submessages.length > 0 && hasWidgets() && !session.isVisitor
            ? html`<parley-widget
                class="content"
                part="message-content"
                .session=${session}
                .message=${message}
                .isActive=${isActive}
              ></parley-widget>`
            : html`<div
                class="content"
                part="message-content"
                dir="auto"
                ${htmlContent(shownContent(message, state.found), session, isActive)}
              ></div>`
      }
      ${!isFirst ? editedMark(row, state) : nothing} ${reactionsOf(message, session, isActive)}
    </div>
    ${
      isActive && !isEditing
        ? html`<parley-toolbar .session=${session} .message=${message}></parley-toolbar>`
        : nothing
    }
  `
}

function editedMark({ message }: MessageRow, { session, isActive }: RowState): unknown {
  const text =
    message.last_edit_timestamp !== undefined
      ? texts.edited
      : message.last_moved_timestamp !== undefined
        ? texts.moved
        : undefined
  const isStarred = message.flags.includes('starred')
  const policy = session.state.organization.realm_message_edit_history_visibility_policy
  return html`${
    text === undefined
      ? nothing
      : html`<button
          class="mark"
          data-action="history"
          title=${texts.history}
          tabindex=${isActive ? 0 : -1}
          ?disabled=${policy === 'none' || session.isVisitor}
        >
          ${text}
        </button>`
  }${isStarred ? html`<span class="mark">★ ${texts.starred}</span>` : nothing}`
}
