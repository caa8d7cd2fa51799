import { type ErrorKind, type ErrorKindName, errorKinds } from '../errors/index.js'
import { isAdministrative } from './administration-gate.js'
import type { Operation } from './operation.js'
import { describeSchema, type Json } from './openapi-schema.js'

/** Responses that many operations share, by their component names. */
const sharedErrors = {
  Unauthorized: ['UNAUTHORIZED', 'INVALID_API_KEY', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
  CrossSiteRequest: ['CSRF_FAILED'],
  AdministrationRefused: ['ADDRESS_NOT_ALLOWED', 'CSRF_FAILED'],
  UnknownOrganization: ['NONEXISTENT_SUBDOMAIN'],
  PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
  RateLimitHit: ['RATE_LIMIT_HIT'],
  InternalServerError: ['INTERNAL_SERVER_ERROR'],
  ServiceUnavailable: ['SERVICE_UNAVAILABLE'],
} as const satisfies Record<string, readonly ErrorKindName[]>

const retryAfter = {
  description: 'Seconds to wait before the next attempt.',
  schema: { type: 'integer', minimum: 0 },
} as const

/** The headers of every response with a status. */
const headersByStatus: Readonly<Record<string, Json>> = {
  401: {
    'WWW-Authenticate': {
      description: 'How to authenticate; absent if other credentials would not help.',
      schema: { type: 'string' },
    },
  },
  429: { 'Retry-After': retryAfter },
  503: { 'Retry-After': retryAfter },
}

const envelope = {
  result: { type: 'string', const: 'success' },
  msg: { type: 'string', const: '' },
  ignored_parameters_unsupported: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of undeclared parameters in the request.',
  },
} as const

/** The components for shared responses, and the schema of errors. */
export const sharedComponents: { readonly schemas: Json; readonly responses: Json } = {
  schemas: {
    ChatError: {
      type: 'object',
      required: ['result', 'msg'],
      properties: {
        result: { type: 'string', const: 'error' },
        msg: { type: 'string', description: 'For people; programs should use `code`.' },
        code: { type: 'string' },
      },
    },
  },
  responses: Object.fromEntries(
    Object.entries(sharedErrors).map(([name, kinds]) => {
      const [first] = kinds
      return [name, describeError(errorKinds[first].status, codesOf(kinds))]
    }),
  ),
}

const sharedByCodes = new Map(
  Object.entries(sharedErrors).map(([name, kinds]) => [keyOf(codesOf(kinds)), name]),
)

/** Describes the responses of an operation, by status. */
export function describeResponses(operation: Operation): Json {
  const codesByStatus = new Map<number, ErrorKindName[]>()
  for (const kind of errorKindsOf(operation)) {
    const { status } = errorKinds[kind]
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), kind])
  }
  const errors = Array.from(codesByStatus, ([status, kinds]): [string, Json] => {
    const codes = codesOf(kinds)
    const shared = sharedByCodes.get(keyOf(codes))
    const isShared = shared !== undefined && statusOf(shared) === status
    return [
      String(status),
      isShared ? { $ref: `#/components/responses/${shared}` } : describeError(status, codes),
    ]
  })
  return { 200: describeSuccess(operation), ...Object.fromEntries(errors) }
}

/** Every kind of error that the operation may answer with. */
function errorKindsOf(operation: Operation): ReadonlySet<ErrorKindName> {
  const { access, method, params, upload } = operation
  const isWrite = method !== 'GET'
  return new Set<ErrorKindName>([
    'BAD_REQUEST',
    'RATE_LIMIT_HIT',
    'INTERNAL_SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
    ...(Object.keys(params).length > 0 ? (['REQUEST_VARIABLE_MISSING'] as const) : []),
    ...(access === 'anyone' ? [] : sharedErrors.Unauthorized),
    ...(isWrite && access !== 'anyone' ? sharedErrors.CrossSiteRequest : []),
    ...(isAdministrative(operation) ? (['ADDRESS_NOT_ALLOWED'] as const) : []),
    ...(operation.servesUnknownHosts === true ? [] : sharedErrors.UnknownOrganization),
    ...(isWrite || upload !== undefined ? sharedErrors.PayloadTooLarge : []),
    ...operation.errors,
  ])
}

function describeSuccess(operation: Operation): Json {
  const { mediaType = 'application/json' } = operation
  if (mediaType !== 'application/json') {
    const schema = mediaType.startsWith('text/')
      ? { type: 'string' }
      : { type: 'string', format: 'binary' }
    return { description: 'Success.', content: { [mediaType]: { schema } } }
  }
  const payload = describeSchema(operation.response)
  const schema = operation.mediaType === undefined ? inEnvelope(payload) : payload
  return { description: 'Success.', content: { [mediaType]: { schema } } }
}

function inEnvelope(payload: Json): Json {
  if (payload['type'] !== 'object') {
    const wrapper = { type: 'object', properties: envelope, required: ['result', 'msg'] }
    return { allOf: [wrapper, payload] }
  }
  const { properties, required = [] } = payload as { properties?: Json; required?: string[] }
  return {
    ...payload,
    properties: { ...envelope, ...properties },
    required: ['result', 'msg', ...required],
  }
}

function describeError(status: number, codes: readonly string[]): Json {
  const headers = headersByStatus[status]
  return {
    description: `Refused: ${codes.join(', ')}.`,
    ...(headers !== undefined && { headers }),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ChatError' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
      },
    },
  }
}

/** The codes on the wire, sorted. */
function codesOf(kinds: readonly ErrorKindName[]): string[] {
  return [
    ...new Set(kinds.map((kind) => (errorKinds[kind] as ErrorKind<object>).code ?? kind)),
  ].sort()
}

function statusOf(shared: string): number {
  const [kind] = sharedErrors[shared as keyof typeof sharedErrors]
  return errorKinds[kind].status
}

function keyOf(codes: readonly string[]): string {
  return codes.join(' ')
}
