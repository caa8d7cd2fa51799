import type { Message, User, UserStatus } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { htmlContent } from '../html/html-content.js'
import { shownContent } from '../html/shown-content.js'
import { hashOf } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { avatar } from '../view/avatar.js'
import { statusMark } from '../view/emoji-mark.js'
import { placeName } from '../view/place-name.js'
import { Row } from '../view/row.js'
import { clockTime, dayName, localTime } from '../view/times.js'
import { define, View } from '../view/view.js'
import type { MessageRow } from './message-rows.js'
import { reactionsOf } from './reactions.js'

/** All that a message shows. It is rendered again if a part of this is another one. */
export interface ShownMessage extends MessageRow {
  readonly sender: User | undefined
  readonly status: UserStatus | undefined
  readonly time: string
  readonly day: string
  /** The name of its conversation, above it. */
  readonly placeName: string
  /** A link leads to it. */
  readonly isMarked: boolean
  readonly isEditing: boolean
  /** Its sender is muted. */
  readonly isHidden: boolean
  /** HTML with the words that a search has found. */
  readonly found: string | undefined
  /** The alert words of the user, if it has some. */
  readonly words: readonly string[] | undefined
  readonly emoji: unknown
  /** A poll or a list of tasks. */
  readonly isWidget: boolean
}

interface Listed {
  readonly editingId: number | undefined
  readonly markedId: number | undefined
  readonly revealed: ReadonlySet<number>
  readonly found: string | undefined
}

/** The contents of a row of a list. */
export function shownMessage(row: MessageRow, session: Session, list: Listed): ShownMessage {
  const { state } = session
  const { id, sender_id, timestamp, flags } = row.message
  return {
    ...row,
    sender: state.users.get(sender_id),
    status: state.statuses.get(sender_id),
    time: clockTime(timestamp),
    day: row.hasDay ? dayName(timestamp) : '',
    placeName: row.hasPlace ? placeName(session.placeOf(row.message), session) : '',
    isMarked: id === list.markedId,
    isEditing: id === list.editingId,
    isHidden: state.mutedUsers.has(sender_id) && !list.revealed.has(id),
    found: list.found,
    words: flags.includes('has_alert_word') ? state.me.alert_words : undefined,
    emoji: state.emoji,
    isWidget: row.message.submessages.length > 0 && hasWidgets() && !session.isVisitor,
  }
}

function isOther(value: ShownMessage, before: ShownMessage | undefined): boolean {
  const known = new Map<string, unknown>(Object.entries(before ?? {}))
  return Object.entries(value).some(([key, each]) => known.get(key) !== each)
}

/** One message with the lines above it. */
export class MessageView extends Row {
  static override properties = {
    ...View.properties,
    shown: { attribute: false, hasChanged: isOther },
    isActive: { attribute: false },
    isCurrent: { attribute: false },
  }
  declare shown: ShownMessage
  /** Where the keyboard is in the list, or the pointer. */
  declare isActive: boolean
  /** The one that is reached by Tab. */
  declare isCurrent: boolean

  get messageId(): number {
    return this.shown.message.id
  }

  override focus(options?: FocusOptions): void {
    this.querySelector<HTMLElement>('.row')?.focus(options)
  }

  /** Gives the focus to the buttons for the message. */
  focusActions(): void {
    this.querySelector<HTMLElement>('parley-toolbar')?.focus()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, shown, isActive } = this
    if (session === undefined) return nothing
    const { message, isFirst, hasDay, hasPlace, isFirstUnread, isHidden, isMarked } = shown
    const classes = `row${isFirst ? ' first' : ''}${isMarked ? ' marked' : ''}${isActive ? ' active' : ''}${message.is_me_message ? ' me' : ''}`
    return html`${hasDay ? html`<div class="day" role="separator">${shown.day}</div>` : nothing}
      ${
        isFirstUnread
          ? html`<div class="unread-line" part="unread-line">${texts.newMessages}</div>`
          : nothing
      }
      ${hasPlace ? placeBar(shown, session) : nothing}
      <div
        class=${classes}
        part="message"
        role="article"
        aria-setsize="-1"
        aria-posinset=${message.id}
        aria-label=${isHidden ? texts.hiddenSender : `${nameOf(shown)}, ${shown.time}`}
        tabindex=${this.isCurrent ? 0 : -1}
      >
        ${isHidden ? hiddenContent(isActive) : contentOf(shown, session, isActive)}
      </div>`
  }
}

/** Whether the element for polls and lists of tasks is loaded. */
function hasWidgets(): boolean {
  return customElements.get('parley-widget') !== undefined
}

/** Loads it if one of the messages needs it. Until then, and without it, they are shown as text. */
export function loadWidgets(messages: readonly Message[], loaded: () => void): void {
  if (hasWidgets() || messages.every(({ submessages }) => submessages.length === 0)) return
  import('../widget/widget.js').then(loaded, () => {})
}

function nameOf({ message, sender }: ShownMessage): string {
  return sender?.full_name || message.sender_full_name
}

function placeBar({ message, placeName: name }: ShownMessage, session: Session): TemplateResult {
  return html`<div class="place-bar">
    <a href=${hashOf({ place: session.placeOf(message) })} tabindex="-1">${name}</a>
  </div>`
}

function hiddenContent(isActive: boolean): TemplateResult {
  return html`<div class="margin"></div>
    <div class="body mark">
      ${texts.hiddenSender}
      <button class="mark" data-action="reveal" tabindex=${isActive ? 0 : -1}>${texts.show}</button>
    </div>`
}

function contentOf(shown: ShownMessage, session: Session, isActive: boolean): TemplateResult {
  const { message, isFirst, isEditing } = shown
  const mark = editedMark(shown, session, isActive)
  const time = html`<time
    datetime=${new Date(message.timestamp * 1000).toISOString()}
    title=${localTime(message.timestamp)}
    >${shown.time}</time
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
                ${nameOf(shown)}</button
              >${statusMark(session, message.sender_id)}${time}${mark}
            </div>`
          : nothing
      }
      ${
        isEditing
          ? html`<parley-edit .session=${session} .message=${message}></parley-edit>`
          : shown.isWidget
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
                ${htmlContent(shownContent(message, shown.found), session, isActive, shown.words)}
              ></div>`
      }
      ${isFirst ? nothing : mark} ${reactionsOf(message, session, isActive)}
    </div>
    ${
      isActive && !isEditing
        ? html`<parley-toolbar .session=${session} .message=${message}></parley-toolbar>`
        : nothing
    }
  `
}

function editedMark({ message }: ShownMessage, session: Session, isActive: boolean): unknown {
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

define('parley-message', MessageView)
