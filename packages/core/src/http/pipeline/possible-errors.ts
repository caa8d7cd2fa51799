import { IsOptional, type TSchema } from 'typebox'

import type { ErrorKindName } from '../../errors/index.js'
import { mayChangeState, type Operation } from '../operation.js'
import { asParameterSchema } from '../parameters/parameter-schema.js'
import { isAdministrative } from './administration-gate.js'
import { pathParameterNames } from './router.js'

/** The errors of callers whose credentials are missing or wrong. */
export const credentialErrors = [
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
] as const satisfies readonly ErrorKindName[]

/** Every kind of error that a call of the operation may get, of the layers before it and its own. */
export function possibleErrors(operation: Operation): ReadonlySet<ErrorKindName> {
  const { access, method, servesUnknownHosts } = operation
  const needsCaller = access !== 'anyone'
  return new Set<ErrorKindName>([
    'BAD_REQUEST',
    'RATE_LIMIT_HIT',
    'INTERNAL_SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
    // The application may have switched the operation off.
    'UNAUTHORIZED_PRINCIPAL',
    ...(servesUnknownHosts === true ? [] : (['NONEXISTENT_SUBDOMAIN'] as const)),
    ...(needsCaller ? credentialErrors : []),
    ...(needsCaller && mayChangeState(operation) ? (['CSRF_FAILED'] as const) : []),
    ...(isAdministrative(operation) ? (['ADDRESS_NOT_ALLOWED'] as const) : []),
    ...(method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT'] as const)),
    ...parameterErrors(operation),
    ...operation.errors,
  ])
}

function parameterErrors({ path, params, takesKeyInQuery }: Operation): ErrorKindName[] {
  const inPath = pathParameterNames(path)
  const fields = Object.entries(params).filter(([name]) => !inPath.has(name))
  const mayMiss = takesKeyInQuery === true || fields.some(([, schema]) => isRequired(schema))
  const hasAliases = fields.some(([, schema]) => asParameterSchema(schema).aliases !== undefined)
  return [
    ...(mayMiss ? (['REQUEST_VARIABLE_MISSING'] as const) : []),
    ...(hasAliases ? (['REQUEST_CONFUSING_VAR'] as const) : []),
  ]
}

/** Whether a request must contain the parameter. */
export function isRequired(schema: TSchema): boolean {
  return !IsOptional(schema) && asParameterSchema(schema).default === undefined
}
