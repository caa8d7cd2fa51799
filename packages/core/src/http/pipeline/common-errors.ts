import type { ErrorKindName } from '../../errors/index.js'

/** Errors that any operation may answer with without declaring them. */
export const commonErrors = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_CONFUSING_VAR',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'CSRF_FAILED',
  'ADDRESS_NOT_ALLOWED',
  'NONEXISTENT_SUBDOMAIN',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_HIT',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorKindName[]

/**
 * Errors of the checks before any operation that operations also throw for reasons of their own,
 * which they then declare.
 */
export const accessErrors = ['UNAUTHORIZED_PRINCIPAL'] as const satisfies readonly ErrorKindName[]
