import type { Message } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'

import { htmlContent } from '../html/html-content.js'
import { hashOf } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { avatar } from '../view/avatar.js'
import { icon } from '../view/icons.js'
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
  /** HTML with what a search has found. */
  readonly found: string | undefined
}

/** One message with what is above it; rendered again only if something of it has changed. */
export function messageView(row: MessageRow, state: RowState): TemplateResult {
  const { message, isFirst, hasDay, hasPlace, isFirstUnread } = row
  const { session, isActive, isCurrent, isMarked, isEditing, found } = state
  const sender = session.state.users.get(message.sender_id)
  const time = clockTime(message.timestamp)
  const content = guard(
    [message, sender, isFirst, isActive, isEditing, found, time, session.state.emoji, hasWidgets()],
    () => contentOf(row, state),
  )
  const classes = `row${isFirst ? ' first' : ''}${isMarked ? ' marked' : ''}${isActive ? ' active' : ''}`
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
      aria-label=${nameOf(row, session)}
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
              >${time}${editedMark(row, state)}
            </div>`
          : nothing
      }
      ${
        isEditing
          ? html`<parley-edit .session=${session} .message=${message}></parley-edit>`
          : message.submessages.length > 0 && hasWidgets()
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
                ${htmlContent(state.found ?? message.content, session, isActive)}
              ></div>`
      }
      ${!isFirst ? editedMark(row, state) : nothing} ${reactionsOf(message, session, isActive)}
    </div>
    ${isActive && !isEditing ? toolbar(row, session) : nothing}
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
          ?disabled=${policy === 'none'}
        >
          ${text}
        </button>`
  }${isStarred ? html`<span class="mark">★ ${texts.starred}</span>` : nothing}`
}

/** The conversation handles the clicks: each button says what it does. */
function toolbar({ message }: MessageRow, { state }: Session): TemplateResult {
  const isOwn = message.sender_id === state.me.user_id
  const hasParts = message.submessages.length > 0
  const mayEdit = isOwn && !hasParts && state.organization.realm_allow_message_editing === true
  const mayDelete = isOwn || state.me.is_admin
  return html`<div class="toolbar" role="toolbar" aria-label=${texts.actions}>
    ${action('react', texts.react, icon('smilePlus'))}
    ${mayEdit ? action('edit', texts.edit, icon('pencil')) : nothing}
    ${action('copy', texts.copyLink, icon('copy'))}
    ${mayDelete ? action('remove', texts.remove, icon('trash2')) : nothing}
    ${action('more', texts.more, '⋯')}
  </div>`
}

function action(name: string, title: string, picture: unknown): TemplateResult {
  return html`<button class="quiet" data-action=${name} title=${title} aria-label=${title}>
    ${picture}
  </button>`
}
