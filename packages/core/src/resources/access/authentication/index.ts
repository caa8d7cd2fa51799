import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { callOriginOf } from '../../../http/pipeline/request-facts.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { ApiKeyResealing } from './api-key-resealing.js'
import { apiKeyHashOf } from './basic-credentials.js'
import { DevelopmentLogin } from './development-login.js'
import { OwnApiKey } from './own-api-key.js'
import { PasswordLogin } from './password-login.js'
import { socketTickets } from './socket-tickets-table.js'
import { SocketTickets, ticketLifetimeSeconds } from './socket-tickets.js'

export { AccessTokens, type AccessToken, type CreateTokenOptions } from './access-tokens.js'
export { ApiKeyResealing } from './api-key-resealing.js'
export { AuthenticationMethods } from './authentication-methods.js'
export { CallerLanguages } from './caller-languages.js'
export { CallerCheck } from './caller-check.js'
export { EmailChangeLimit } from './email-change-limit.js'
export { RequestOrganizationResolver } from './organization-resolver.js'
export { EndedCredentials, OwnApiKey } from './own-api-key.js'
export { InvitationLimit } from './invitation-limit.js'
export { OwnPassword } from './own-password.js'
export {
  type PasswordAttempt,
  type PasswordAuthenticator,
  type PasswordVerdict,
} from './password-authenticator.js'
export { PasswordAuthenticatorsToken } from './password-authenticators.js'
export { RequestAuthenticator } from './request-authenticator.js'
export {
  SecondFactorToken,
  type SecondFactor,
  type SecondFactorAttempt,
  type SecondFactorVerdict,
} from './second-factor.js'
export { SignInAudit } from './sign-in-audit.js'
export { SessionEnding, type EndSessionsOptions } from './session-ending.js'
export { SignUpLimit, type SignUpOrigin } from './sign-up-limit.js'
export type { RateLimitHeaders } from '../../../http/limits/rate-limiter.js'

const ApiCredentials = Type.Object({
  api_key: Type.String(),
  email: Type.String({ description: 'The real e-mail address.' }),
  user_id: Type.Integer(),
})

const DevelopmentAccounts = Type.Array(
  Type.Object({ email: Type.String(), realm_url: Type.String(), realm_uri: Type.String() }),
)

const fetchApiKey = defineOperation({
  id: 'fetch-api-key',
  summary: 'Get the API key of an account by its password.',
  method: 'POST',
  path: '/fetch_api_key',
  access: 'anyone',
  servesUnknownHosts: true,
  params: {
    username: Bounded.name({ maxLength: 10_000, description: 'The e-mail address.' }),
    password: Bounded.name({ maxLength: 10_000 }),
    second_factor_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Required after a response with `SECOND_FACTOR_REQUIRED`.',
      }),
    ),
  },
  response: ApiCredentials,
  errors: [
    'BAD_REQUEST',
    'AUTHENTICATION_FAILED',
    'NONEXISTENT_SUBDOMAIN',
    'PASSWORD_AUTH_DISABLED',
    'PASSWORD_RESET_REQUIRED',
    'RATE_LIMIT_HIT',
    'REALM_DEACTIVATED',
    'SECOND_FACTOR_FAILED',
    'SECOND_FACTOR_REQUIRED',
    'USER_DEACTIVATED',
  ],
  service: PasswordLogin,
  async handle(login, { params, request }) {
    const { organization, remoteAddress, rateLimitHeaders, raw } = request
    const { username, password, second_factor_code: code } = params
    const credentials = {
      username,
      password,
      code,
      remoteAddress,
      origin: callOriginOf(request),
      request: raw,
      limitHeaders: rateLimitHeaders,
    }
    return login.logIn(organization, credentials)
  },
})

const devFetchApiKey = defineOperation({
  id: 'dev-fetch-api-key',
  summary: 'Get the API key of any account, on a development server.',
  method: 'POST',
  path: '/dev_fetch_api_key',
  access: 'anyone',
  servesUnknownHosts: true,
  params: { username: Bounded.name({ maxLength: 10_000, description: 'The e-mail address.' }) },
  response: ApiCredentials,
  errors: [
    'BAD_REQUEST',
    'AUTHENTICATION_FAILED',
    'NONEXISTENT_SUBDOMAIN',
    'REALM_DEACTIVATED',
    'USER_DEACTIVATED',
  ],
  service: DevelopmentLogin,
  async handle(login, { params, request }) {
    return login.logIn(request.organization, params.username, callOriginOf(request))
  },
})

const devListUsers = defineOperation({
  id: 'dev-list-users',
  summary: 'List the accounts whose keys dev-fetch-api-key returns, on a development server.',
  method: 'GET',
  path: '/dev_list_users',
  access: 'anyone',
  servesUnknownHosts: true,
  params: {},
  response: Type.Object({ direct_admins: DevelopmentAccounts, direct_users: DevelopmentAccounts }),
  errors: ['BAD_REQUEST', 'NONEXISTENT_SUBDOMAIN'],
  service: DevelopmentLogin,
  async handle(login, { request }) {
    return login.listUsers(request.organization, request.chatUrl)
  },
})

const regenerateOwnApiKey = defineOperation({
  id: 'regenerate-own-api-key',
  summary: "Replace the caller's API key; the old one is no longer valid.",
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object({ api_key: Type.String() }),
  errors: ['BAD_REQUEST'],
  service: OwnApiKey,
  async handle(keys, { actor }) {
    return { api_key: await keys.regenerate(actor) }
  },
})

const createSocketTicket = defineOperation({
  id: 'create-socket-ticket',
  summary: 'Get a ticket for opening one WebSocket, for browsers, which cannot set headers on one.',
  method: 'POST',
  path: '/events/ticket',
  access: 'user',
  isPersonal: true,
  params: {
    queue_id: Type.Optional(
      Type.String({
        maxLength: socketTickets.columns.queue_id.maxLength,
        description:
          'The event queue that the ticket opens. Without it, the ticket opens a new one.',
      }),
    ),
  },
  response: Type.Object({
    ticket: Type.String({ description: 'For the `ticket` parameter of the upgrade request.' }),
    expires_in_seconds: Type.Integer(),
  }),
  errors: [
    'BAD_EVENT_QUEUE_ID',
    'SESSION_REQUIRED',
    'CALLER_DEACTIVATED',
    'CALLER_REALM_DEACTIVATED',
  ],
  service: SocketTickets,
  async handle(tickets, { actor, params, request }) {
    const proof = request.session ?? { apiKeyHash: apiKeyHashOf(request.authorization ?? '') }
    const ticket = await tickets.issue(actor, { queueId: params.queue_id, proof })
    return { ticket, expires_in_seconds: ticketLifetimeSeconds }
  },
})

export const authentication = defineResource({
  operations: [fetchApiKey, devFetchApiKey, devListUsers, regenerateOwnApiKey, createSocketTicket],
  backgroundWork: [ApiKeyResealing],
})
