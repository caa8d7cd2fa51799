import type { Api } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { dialogTexts } from '../dialog-texts.js'
import { followAnswer } from '../session/follow-answer.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { copyField } from '../settings/copy-field.js'
import { settingsTexts } from '../settings/settings-texts.js'
import { after, now } from '../timers.js'
import { ask } from '../view/ask.js'
import { reasonOf } from '../view/reason.js'
import { localTime } from '../view/times.js'
import { define } from '../view/view.js'
import { EditList } from './edit-list.js'
import { problemText } from './form-field.js'
import {
  invitationFields,
  invitationKinds,
  sendInvitation,
  type InvitationKind,
} from './invitation-form.js'
import { invitationTexts } from './invitation-texts.js'
import { organizationTexts } from './organization-texts.js'

type Invitation = Api.GetInvitesResult['invites'][number]

/** Between two requests for the list when invitations expire: the clock of this computer may be wrong. */
const minWaitMilliseconds = 60_000
/** Much longer delays of timers would end at once. */
const maxWaitMilliseconds = 24 * 3600 * 1000

/** Invitations that can still be accepted: one's own, and for administrators all. */
class InvitationSection extends EditList<Invitation> {
  static override properties = {
    ...EditList.properties,
    invitations: { state: true },
    kind: { state: true },
  }
  declare invitations: readonly Invitation[] | undefined
  /** That of a new one. */
  declare kind: InvitationKind | undefined
  readonly #read: (session: Session) => Promise<void>
  #stopWait: () => void = () => {}

  constructor() {
    super()
    followState(this, ({ groups }) => groups)
    followState(this, ({ channels }) => channels)
    followState(this, ({ users }) => users)
    this.#read = followAnswer(this, ['invites_changed'], {
      read: ({ client }) => client.api.getInvites(),
      answered: ({ invites }) => {
        this.invitations = invites
        this.#readAfterExpiry(invites)
      },
      failed: (error) => this.report(invitationTexts.notLoaded(reasonOf(error))),
    })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stopWait()
  }

  /** No event tells that an invitation has expired. */
  #readAfterExpiry(invitations: readonly Invitation[]): void {
    this.#stopWait()
    const nextSeconds = Math.min(...invitations.map(({ expiry_date }) => expiry_date ?? Infinity))
    if (nextSeconds === Infinity) return
    const wait = Math.max(minWaitMilliseconds, nextSeconds * 1000 - now())
    this.#stopWait = after(Math.min(wait, maxWaitMilliseconds), () => {
      if (this.session !== undefined && this.isConnected) void this.#read(this.session)
    })
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, invitations } = this
    if (session === undefined) return nothing
    if (invitations === undefined) {
      return html`<p class="quiet-text">${invitationTexts.loading}</p>`
    }
    const newestFirst = [...invitations].sort(
      (one, other) => other.invited - one.invited || other.id - one.id,
    )
    const items = repeat(
      newestFirst,
      // The two kinds have ids of their own.
      ({ id, is_multiuse }) => `${id} ${is_multiuse}`,
      (each) => this.#item(each, session),
    )
    return this.list(
      invitationTexts.title,
      invitationTexts.none,
      newestFirst.length === 0 ? [] : [html`${items}`],
      html`${
          this.edited === 'new'
            ? this.#form(session)
            : invitationKinds(session).length > 0
              ? this.addButton(invitationTexts.add)
              : nothing
        }
        <p class="quiet-text">${invitationTexts.about}</p>`,
    )
  }

  #item(invitation: Invitation, session: Session): TemplateResult {
    const { id: invite_id, email, invited, expiry_date, invited_as, is_multiuse } = invitation
    const name = email ?? invitationTexts.link(invite_id)
    const inviter = session.nameOf(invitation.invited_by_user_id)
    const about = [
      dialogTexts.role(invited_as),
      inviter === '' ? invitationTexts.ofProduct : invitationTexts.by(inviter),
      (is_multiuse ? invitationTexts.created : invitationTexts.mailed)(localTime(invited)),
      expiry_date === null
        ? invitationTexts.neverExpires
        : invitationTexts.expiresAt(localTime(expiry_date)),
    ]
    const { api } = session.client
    const revoke = async (button: HTMLElement): Promise<void> => {
      const question = invitationTexts.revokeQuestion(name)
      if (!(await ask(button, question, invitationTexts.revoke))) return
      await this.act(invitationTexts.revoked(name), () =>
        is_multiuse ? api.revokeInviteLink({ invite_id }) : api.revokeEmailInvite({ invite_id }),
      )
    }
    return html`<li class="entry">
      <div class="about">
        <strong dir="auto">${name}</strong>
        <div class="quiet-text">${about.join(' · ')}</div>
      </div>
      <div class="edit-buttons">
        ${
          is_multiuse
            ? nothing
            : this.button(invitationTexts.resend, invitationTexts.resendWhat(name), () => {
                void this.run(
                  () => api.resendEmailInvite({ invite_id }),
                  invitationTexts.resent(name),
                  organizationTexts.notDone,
                )
              })
        }
        ${this.button(invitationTexts.revoke, invitationTexts.revokeWhat(name), (button) => {
          void revoke(button)
        })}
      </div>
      ${
        invitation.link_url === undefined
          ? nothing
          : html`<div class="details">${copyField(name, invitation.link_url, this.report)}</div>`
      }
    </li>`
  }

  #form(session: Session): TemplateResult {
    const kind = this.kind ?? invitationKinds(session)[0] ?? 'mail'
    const submit = async (event: Event): Promise<void> => {
      event.preventDefault()
      const { target: form } = event
      if (!(form instanceof HTMLFormElement)) return
      let count: number | undefined
      await this.submit(invitationTexts.title, undefined, async () => {
        count = await sendInvitation(form, session)
      })
      if (this.problem !== undefined) return
      this.report(count === undefined ? invitationTexts.linkCreated : invitationTexts.sent(count))
    }
    return html`<form @submit=${submit}>
      ${invitationFields(kind, session, (chosen) => (this.kind = chosen))}
      ${problemText(this.problem)}
      <div class="edit-buttons">
        <button class="plain" type="button" @click=${() => void this.end(undefined)}>
          ${settingsTexts.cancel}
        </button>
        <button class="main">${invitationTexts.send}</button>
      </div>
    </form>`
  }
}

define('parley-invitation-section', InvitationSection)
