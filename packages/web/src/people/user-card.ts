import type { User } from '@parley/client'
import { html, nothing, render, type TemplateResult } from 'lit'

import '../on-demand.js'
import { dialogTexts } from '../dialog-texts.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { now } from '../timers.js'
import { ask } from '../view/ask.js'
import { avatar } from '../view/avatar.js'
import { dialogHead, showDialog } from '../view/dialog.js'
import { statusMark } from '../view/emoji-mark.js'
import { presenceKind } from '../view/presence-dot.js'
import { reasonOf } from '../view/reason.js'
import { clockTime } from '../view/times.js'
import { define, View } from '../view/view.js'
import { profileSummary } from './profile-summary.js'

/** Shows who a user is. */
export async function showUser(
  opener: HTMLElement,
  session: Session,
  userId: number,
): Promise<void> {
  const dialog = document.createElement('dialog')
  render(html`<parley-user .session=${session} .userId=${userId}></parley-user>`, dialog)
  await showDialog(dialog, opener, 'card', dialogTexts.about(session.nameOf(userId)))
}

class UserCard extends View {
  static override properties = { ...View.properties, userId: { attribute: false } }
  declare userId: number

  constructor() {
    super()
    followState(this, ({ users }) => users)
    followState(this, ({ presence }) => presence)
    followState(this, ({ statuses }) => statuses)
    followState(this, ({ profileFields }) => profileFields)
    followState(this, ({ mutedUsers }) => mutedUsers)
  }

  protected override firstUpdated(): void {
    const first = this.querySelector<HTMLElement>('.main') ?? this.querySelector('button')
    first?.focus()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, userId } = this
    const user = session?.state.users.get(userId)
    if (session === undefined || user === undefined) return nothing
    const kind = presenceKind(session, userId)
    const time = localTimeOf(user)
    const status = session.state.statuses.get(userId)?.status_text
    return html`${dialogHead(user.full_name)}
      <div class="bar">
        ${avatar(session, userId)}
        <div>
          ${
            !user.is_active
              ? html`<div>${dialogTexts.deactivated}</div>`
              : kind === 'away'
                ? nothing
                : html`<div><span class="dot ${kind}"></span> ${texts[kind]}</div>`
          }
          <div>${user.is_bot ? dialogTexts.bot : dialogTexts.role(user.role)}</div>
          <div class="hint">${user.delivery_email ?? user.email}</div>
          <div dir="auto">${statusMark(session, userId)} ${status}</div>
          ${profileSummary(user, session).map(
            ({ name, text }) =>
              html`<div dir="auto"><span class="hint">${name}:</span> ${text}</div>`,
          )}
          ${time === undefined ? nothing : html`<div>${dialogTexts.localTime(time)}</div>`}
        </div>
      </div>
      ${session.isVisitor ? nothing : this.#buttons(user, session)}`
  }

  #buttons(user: User, session: Session): TemplateResult {
    const { userId } = this
    return html`<div class="edit-buttons">
      ${userId === session.state.me.user_id ? nothing : this.#muteButton(session)}
      ${
        user.is_active
          ? html`<button class="main" @click=${this.#write}>
              ${userId === session.state.me.user_id ? texts.notes : dialogTexts.sendDirect}
            </button>`
          : nothing
      }
    </div>`
  }

  #muteButton(session: Session): TemplateResult {
    const { userId } = this
    const isMuted = session.state.mutedUsers.has(userId)
    const click = async ({ currentTarget: opener }: Event): Promise<void> => {
      if (!(opener instanceof HTMLElement)) return
      const { api } = session.client
      try {
        if (isMuted) await api.unmuteUser({ muted_user_id: userId })
        else {
          const question = dialogTexts.muteQuestion(session.nameOf(userId))
          const isSure = await ask(opener, question, dialogTexts.muteNow)
          if (isSure) await api.muteUser({ muted_user_id: userId })
        }
      } catch (error) {
        this.tell('parley-problem', texts.failed(reasonOf(error)))
      }
    }
    return html`<button class="plain" @click=${click}>
      ${isMuted ? dialogTexts.unmute : dialogTexts.mute}
    </button>`
  }

  readonly #write = (): void => {
    if (this.session === undefined) return
    this.tell('parley-go', { place: this.session.direct([this.userId]) })
  }
}

/** Undefined if the user has not set a time zone, or the browser does not know it. */
function localTimeOf({ timezone = '' }: User): string | undefined {
  if (timezone === '') return undefined
  try {
    return clockTime(now() / 1000, timezone)
  } catch {
    return undefined
  }
}

define('parley-user', UserCard)
