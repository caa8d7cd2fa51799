import { defineResource } from '../../../resource-definition/resource.js'
import { ApiKeyResealing } from './api-key-resealing.js'
import {
  createSocketTicket,
  devFetchApiKey,
  devListUsers,
  fetchApiKey,
  regenerateOwnApiKey,
} from './authentication-operations.js'

export { AccessTokens, type AccessToken, type CreateTokenOptions } from './access-tokens.js'
export { ApiKeyResealing } from './api-key-resealing.js'
export { AuthenticationMethods } from './authentication-methods.js'
export { CallerLanguages } from './caller-languages.js'
export { CallerCheck } from './caller-check.js'
export { EmailChangeLimit } from './email-change-limit.js'
export { RequestOrganizationResolver } from './organization-resolver.js'
export { EndedCredentials } from './ended-credentials.js'
export { InvitationLimit } from './invitation-limit.js'
export { OwnApiKey } from './own-api-key.js'
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

export const authentication = defineResource({
  operations: [fetchApiKey, devFetchApiKey, devListUsers, regenerateOwnApiKey, createSocketTicket],
  backgroundWork: [ApiKeyResealing],
})
