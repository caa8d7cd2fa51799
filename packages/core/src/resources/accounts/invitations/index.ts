import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import type { Role } from '../../../domain/users/actor.js'
import { type ChatError, csrfError, namedText, visitorText } from '../../../errors/index.js'
import { defineOperation, FileReply, type RefusedVisit } from '../../../http/operation.js'
import { htmlPageHeaders, htmlPageType } from '../../../kernel/html-page.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { invitesChanged } from './invitation-events.js'
import { InvitationMailDelivery } from './invitation-mail-delivery.js'
import { InvitationResealing } from './invitation-resealing.js'
import { channelIds, Invite, offerParameters } from './invitation-schemas.js'
import { type InvitationRequest, InvitationService } from './invitation-service.js'
import { InvitationUpkeep } from './invitation-upkeep.js'
import { joinErrorPage } from './join-page.js'
import { JoinPages } from './join-pages.js'

export {
  ApplicationInvitations,
  type InvitationAnswer,
  type OpenInvitation,
} from './application-invitations.js'
export { InvitationChanges } from './invitation-changes.js'
export { InvitationsOptionToken, type InvitationsOption } from './invitation-settings.js'

const joinPageHeaders = htmlPageHeaders('same-origin')
const path = '/accounts/join/{invitation_key}'
const invitation_key = Bounded.name({ description: 'The key in the link of the invitation.' })

const showJoinPage = defineOperation({
  id: 'show-join-page',
  summary: 'Get the page on which a person accepts an invitation; invitation links lead to it.',
  method: 'GET',
  path,
  access: 'anyone',
  countedByAddress: true,
  params: { invitation_key },
  response: Type.Object({}),
  mediaType: 'text/html',
  otherStatuses: [302],
  errors: ['OBJECT_NOT_FOUND', 'BAD_REQUEST'],
  service: JoinPages,
  errorPage,
  async handle(pages, { params, request }) {
    const { organization, chatUrl, acceptLanguage } = request
    const answer = await pages.begin(organization, params.invitation_key, chatUrl, acceptLanguage)
    if ('location' in answer) {
      const headers = { ...joinPageHeaders, Location: answer.location }
      return new FileReply(Buffer.alloc(0), 'text/plain', { status: 302, headers })
    }
    return reply(answer.page)
  },
})

const submitJoinPage = defineOperation({
  id: 'submit-join-page',
  summary: 'Accept an invitation with the form of the page; the response is a page.',
  method: 'POST',
  path,
  access: 'anyone',
  countedByAddress: true,
  params: {
    invitation_key,
    email: Type.Optional(
      Bounded.name({ description: 'The address, unless the invitation has one.' }),
    ),
    full_name: Type.Optional(Bounded.name({ contentKind: 'user.fullName' })),
    password: Type.Optional(Bounded.name()),
    terms: Type.Optional(
      Bounded.name({ description: '`accepted`, if the page asks to accept terms.' }),
    ),
  },
  response: Type.Object({}),
  mediaType: 'text/html',
  errors: ['OBJECT_NOT_FOUND', 'BAD_REQUEST', 'CSRF_FAILED'],
  service: JoinPages,
  errorPage,
  async handle(pages, { params, request }) {
    if (request.isCrossSiteNavigation) {
      throw csrfError('CSRF_FORM_ON_OTHER_SITE')
    }
    const { page, status } = await pages.submit(
      request.organization,
      params.invitation_key,
      {
        email: params.email,
        fullName: params.full_name,
        password: params.password,
        acceptsTerms: params.terms === 'accepted',
      },
      {
        chatUrl: request.chatUrl,
        remoteAddress: request.remoteAddress,
        limitHeaders: request.rateLimitHeaders,
      },
      request.acceptLanguage,
    )
    return reply(page, status)
  },
})

function reply(page: Buffer, status = 200): FileReply {
  return new FileReply(page, htmlPageType, { status, headers: joinPageHeaders })
}

function errorPage(error: ChatError, { writer }: RefusedVisit): FileReply {
  const text =
    error.kind === 'CSRF_FAILED'
      ? writer.write(namedText('PAGE_JOIN_OTHER_SITE'))
      : visitorText(error, writer)
  return reply(joinErrorPage(text, writer))
}

const Empty = Type.Object({})
const inviteId = Bounded.id({ description: 'The id of the invitation.' })

const getInvites = defineOperation({
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

const sendInvites = defineOperation({
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

const createInviteLink = defineOperation({
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

const revokeEmailInvite = defineOperation({
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

const revokeInviteLink = defineOperation({
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

const resendEmailInvite = defineOperation({
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

export const invitations = defineResource({
  operations: [
    getInvites,
    sendInvites,
    createInviteLink,
    revokeEmailInvite,
    revokeInviteLink,
    resendEmailInvite,
    showJoinPage,
    submitJoinPage,
  ],
  events: [invitesChanged],
  backgroundWork: [InvitationMailDelivery, InvitationResealing, InvitationUpkeep],
})
