import { html, nothing, type TemplateResult } from 'lit'

import { channelRights } from '../channel-settings/rights.js'
import { dialogTexts } from '../dialog-texts.js'
import { groupRights } from '../groups/rights.js'
import type { Session } from '../session/session.js'
import { textsOf } from './form-field.js'
import { invitationTexts } from './invitation-texts.js'
import { mayCreateInviteLinks, mayInviteByMail } from './permissions.js'

export type InvitationKind = 'mail' | 'link'

const roles = [100, 200, 300, 400, 600] as const
const member = 400
const usualMinutes = 14_400
/** Limits of the server. */
const maxAddresses = 10_000
const maxWelcome = 8000

/** The kinds of invitations that the user may create. */
export function invitationKinds(session: Session): InvitationKind[] {
  return [
    ...(mayInviteByMail(session) ? (['mail'] as const) : []),
    ...(mayCreateInviteLinks(session) ? (['link'] as const) : []),
  ]
}

/** The fields of a new invitation. */
export function invitationFields(
  kind: InvitationKind,
  session: Session,
  chooseKind: (kind: InvitationKind) => void,
): TemplateResult {
  const { me, organization } = session.state
  const ownRole = me.is_owner ? 100 : me.is_admin ? 200 : me.is_moderator ? 300 : member
  const choose = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) chooseKind(target.value === 'link' ? 'link' : 'mail')
  }
  return html`${select(
      'kind',
      invitationTexts.kind,
      invitationKinds(session).map((each) => [each, invitationTexts.kinds[each]] as const),
      kind,
      choose,
    )}
    ${
      kind === 'mail'
        ? html`<label class="pair"
            ><span
              >${invitationTexts.addresses}
              <span class="quiet-text">${invitationTexts.addressesHint}</span></span
            >
            <textarea
              name="addresses"
              rows="3"
              dir="auto"
              required
              maxlength=${maxAddresses}
            ></textarea>
          </label>`
        : nothing
    }
    ${select(
      'role',
      invitationTexts.role,
      roles
        .filter((role) => role >= ownRole)
        .map((role) => [String(role), dialogTexts.role(role)] as const),
      String(member),
    )}
    ${select(
      'expires',
      invitationTexts.expires,
      invitationTexts.expiries.map(([minutes, text]) => [String(minutes), text] as const),
      String(usualMinutes),
    )}
    <fieldset class="choices">
      <legend>${invitationTexts.channels}</legend>
      ${check('defaults', '', invitationTexts.defaultChannels, true)}
      ${channelsOf(session).map(({ stream_id, name }) =>
        check('channel', String(stream_id), `#${name}`, false),
      )}
    </fieldset>
    ${groupFields(session)}
    ${kind === 'mail' ? check('notify', '', invitationTexts.notify, true) : nothing}
    ${
      me.is_admin
        ? html`<label class="pair"
            ><span>${invitationTexts.welcome}</span>
            <textarea
              name="welcome"
              rows="2"
              dir="auto"
              maxlength=${maxWelcome}
              .value=${organization.realm_welcome_message_custom_text ?? ''}
            ></textarea>
          </label>`
        : nothing
    }`
}

function groupFields(session: Session): TemplateResult | typeof nothing {
  const groups = [...session.state.groups.values()]
    .filter((group) => !group.deactivated && groupRights(group, session.state).addsMembers)
    .sort((one, other) => one.name.localeCompare(other.name))
  if (groups.length === 0) return nothing
  return html`<fieldset class="choices">
    <legend>${invitationTexts.groups}</legend>
    ${groups.map(({ id, name }) => check('group', String(id), name, false))}
  </fieldset>`
}

/** Channels to which the user may subscribe others; the default ones are together. */
function channelsOf({ state }: Session) {
  const defaults = state.organization.realm_default_streams ?? []
  return [...state.channels.values()]
    .filter(
      (channel) =>
        !channel.is_archived &&
        !defaults.includes(channel.stream_id) &&
        channelRights(channel, state).addsOthers,
    )
    .sort((one, other) => one.name.localeCompare(other.name))
}

function select(
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  current: string,
  changed?: (event: Event) => void,
): TemplateResult {
  return html`<label class="pair"
    ><span>${label}</span>
    <select name=${name} @change=${changed ?? nothing}>
      ${options.map(
        ([value, text]) =>
          html`<option value=${value} ?selected=${value === current}>${text}</option>`,
      )}
    </select>
  </label>`
}

function check(name: string, value: string, label: string, isOn: boolean): TemplateResult {
  return html`<label class="check"
    ><input type="checkbox" name=${name} value=${value} ?checked=${isOn} />
    <span dir="auto">${label}</span></label
  >`
}

/** Sends the form. @returns how many addresses it has; undefined for a link. */
export async function sendInvitation(
  form: HTMLFormElement,
  session: Session,
): Promise<number | undefined> {
  const text = textsOf(form)
  const checked = (name: string): number[] =>
    [...form.querySelectorAll<HTMLInputElement>(`[name=${name}]:checked`)].map(({ value }) =>
      Number(value),
    )
  const welcome = form.querySelector<HTMLTextAreaElement>('[name=welcome]')?.value
  const usualWelcome = session.state.organization.realm_welcome_message_custom_text ?? ''
  const expires = text('expires')
  const { api } = session.client
  const offer = {
    invite_as: roles.find((role) => String(role) === text('role')) ?? member,
    invite_expires_in_minutes: expires === 'null' ? null : Number(expires),
    stream_ids: checked('channel'),
    group_ids: checked('group'),
    include_realm_default_subscriptions: checked('defaults').length > 0,
    // The organization's own text may change until the invitation is accepted.
    ...(welcome !== undefined &&
      welcome !== usualWelcome && { welcome_message_custom_text: welcome }),
  } as const
  if (text('kind') === 'link') {
    await api.createInviteLink(offer)
    return undefined
  }
  const addresses = text('addresses')
  await api.sendInvites({
    ...offer,
    invitee_emails: addresses,
    notify_referrer_on_join: checked('notify').length > 0,
  })
  return addresses.split(/[,\n]/).filter((each) => each.trim() !== '').length
}
