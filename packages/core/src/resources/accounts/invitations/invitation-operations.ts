import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import type { Role } from '../../../domain/users/actor.js'
import { defineOperation } from '../../../http/operation.js'
import { channelIds, Invite, offerParameters } from './invitation-schemas.js'
import { InvitationService, type InvitationRequest } from './invitation-service.js'

const Empty = Type.Object({})
const inviteId = Bounded.id({ description: 'The id of the invitation.' })

export const getInvites = defineOperation({
  id: 'get-invites',
  summary:
    'List the invitations that can still be accepted: the own ones, for administrators also those of others.',
  method: 'GET',
  path: '/invites',
  access: 'humanNonGuest',
  answersWithSecrets: true,
  params: {},
  response: Type.Object({ invites: Type.Array(Invite) }),
  errors: [],
  service: InvitationService,
  async handle(invitations, { actor, request }) {
    return { invites: await invitations.list(actor, request.chatUrl) }
  },
})

export const sendInvites = defineOperation({
  id: 'send-invites',
  summary: 'Invite people by e-mail.',
  method: 'POST',
  path: '/invites',
  access: 'humanNonGuest',
  params: {
    invitee_emails: Bounded.text({
      description: 'The addresses, separated by commas or line breaks.',
    }),
    ...offerParameters,
    stream_ids: channelIds(),
    notify_referrer_on_join: Type.Boolean({
      default: true,
      description: 'Whether the caller gets a message when a new user joins.',
    }),
  },
  response: Empty,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'INVITATION_FAILED'],
  service: InvitationService,
  async handle(invitations, { actor, params, request }) {
    const notifiesInviter = params.notify_referrer_on_join
    const offer = { ...requestOf(params, request.chatUrl), notifiesInviter }
    await invitations.send(actor, params.invitee_emails, offer)
    return {}
  },
})

export const createInviteLink = defineOperation({
  id: 'create-invite-link',
  summary: 'Create an invitation link that any number of people may use.',
  method: 'POST',
  path: '/invites/multiuse',
  access: 'humanNonGuest',
  params: { ...offerParameters, stream_ids: channelIds({ default: [] }) },
  response: Type.Object({ invite_link: Type.String() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: InvitationService,
  async handle(invitations, { actor, params, request }) {
    const offer = { ...requestOf(params, request.chatUrl), notifiesInviter: true }
    return { invite_link: await invitations.createLink(actor, offer) }
  },
})

export const revokeEmailInvite = defineOperation({
  id: 'revoke-email-invite',
  summary: 'Revoke an invitation by e-mail.',
  method: 'DELETE',
  path: '/invites/{invite_id}',
  access: 'humanNonGuest',
  params: { invite_id: inviteId },
  response: Empty,
  errors: ['BAD_REQUEST'],
  service: InvitationService,
  async handle(invitations, { actor, params }) {
    await invitations.revoke(actor, params.invite_id, 'email')
    return {}
  },
})

export const revokeInviteLink = defineOperation({
  id: 'revoke-invite-link',
  summary: 'Revoke a reusable invitation link.',
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  access: 'humanNonGuest',
  params: { invite_id: inviteId },
  response: Empty,
  errors: ['BAD_REQUEST'],
  service: InvitationService,
  async handle(invitations, { actor, params }) {
    await invitations.revoke(actor, params.invite_id, 'link')
    return {}
  },
})

export const resendEmailInvite = defineOperation({
  id: 'resend-email-invite',
  summary: 'Send the mail of an invitation again. The invitation then lasts as long as at first.',
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  access: 'humanNonGuest',
  params: { invite_id: inviteId },
  response: Empty,
  errors: ['BAD_REQUEST', 'INVITATION_FAILED'],
  service: InvitationService,
  async handle(invitations, { actor, params }) {
    await invitations.resend(actor, params.invite_id)
    return {}
  },
})

interface OfferParameters {
  readonly invite_expires_in_minutes: number | null
  readonly invite_as: Role
  readonly stream_ids: readonly number[]
  readonly group_ids: readonly number[]
  readonly include_realm_default_subscriptions: boolean
  readonly welcome_message_custom_text?: string | null
}

function requestOf(
  params: OfferParameters,
  chatUrl: string,
): Omit<InvitationRequest, 'notifiesInviter'> {
  return {
    expiresInMinutes: params.invite_expires_in_minutes,
    role: params.invite_as,
    channelIds: params.stream_ids,
    groupIds: params.group_ids,
    joinsDefaultChannels: params.include_realm_default_subscriptions,
    welcomeText: params.welcome_message_custom_text ?? null,
    chatUrl,
  }
}
