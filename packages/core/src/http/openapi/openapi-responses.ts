import { type ErrorKind, type ErrorKindName, errorKinds } from '../../errors/index.js'
import type { Operation, OtherStatus } from '../operation.js'
import { credentialErrors, possibleErrors } from '../pipeline/possible-errors.js'
import { describeSchema, type Json } from './openapi-schema.js'

/** Responses that many operations share, by their component names. */
const sharedErrors = {
  BadRequest: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  BadParameters: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'REQUEST_VARIABLE_MISSING'],
  Unauthorized: credentialErrors,
  CrossSiteRequest: ['CSRF_FAILED'],
  AdministrationRefused: ['ADDRESS_NOT_ALLOWED', 'CSRF_FAILED'],
  UnknownOrganization: ['NONEXISTENT_SUBDOMAIN'],
  UnknownPath: ['NONEXISTENT_SUBDOMAIN', 'ROUTE_NOT_FOUND'],
  MethodNotAllowed: ['METHOD_NOT_ALLOWED'],
  RequestTimeout: ['REQUEST_TIMEOUT'],
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
  405: {
    Allow: { description: 'The methods of the path.', schema: { type: 'string' } },
  },
  429: { 'Retry-After': retryAfter },
  503: { 'Retry-After': retryAfter },
}

/** Responses that are neither a whole success nor an error, with their most important header. */
const otherStatuses = {
  206: {
    description: 'The part of the file that `Range` names.',
    header: 'Content-Range',
    about: 'The part, and the length of the file.',
  },
  302: { description: 'It is elsewhere.', header: 'Location', about: 'Where it is.' },
  304: {
    description: 'The client has the current version already, as `If-None-Match` says.',
    header: 'ETag',
    about: 'The current version.',
  },
  416: {
    description: 'The file has no part that `Range` names.',
    header: 'Content-Range',
    about: 'The length of the file.',
  },
} as const satisfies Record<OtherStatus, object>

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
      return [name, describeError(errorKinds[first].status, codesOf(kinds), false)]
    }),
  ),
}

const sharedByCodes = new Map(
  Object.entries(sharedErrors).map(([name, kinds]) => [keyOf(codesOf(kinds)), name]),
)

/**
 * Describes the responses of an operation, by status.
 *
 * @param routeErrors the errors of requests with a path that is like the operation's.
 */
export function describeResponses(
  operation: Operation,
  routeErrors: readonly ErrorKindName[],
): Readonly<Record<string, Json>> {
  const codesByStatus = new Map<number, ErrorKindName[]>()
  for (const kind of new Set([...possibleErrors(operation), ...routeErrors])) {
    const { status } = errorKinds[kind]
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), kind])
  }
  const hasPages = operation.errorPage !== undefined
  const errors = Array.from(codesByStatus, ([status, kinds]): [string, Json] => {
    const codes = codesOf(kinds)
    const shared = sharedByCodes.get(keyOf(codes))
    const isShared = !hasPages && shared !== undefined && statusOf(shared) === status
    return [
      String(status),
      isShared
        ? { $ref: `#/components/responses/${shared}` }
        : describeError(status, codes, hasPages),
    ]
  })
  const success = describeSuccess(operation)
  const others = operation.otherStatuses?.map((status) => [
    status,
    describeOther(status, success['content']),
  ])
  return { 200: success, ...Object.fromEntries(others ?? []), ...Object.fromEntries(errors) }
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

function describeOther(status: OtherStatus, content: unknown): Json {
  const { description, header, about } = otherStatuses[status]
  return {
    description,
    headers: { [header]: { description: about, schema: { type: 'string' } } },
    ...(status === 206 && { content }),
  }
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

/** @param hasPages whether browsers get a page in place of the JSON. */
function describeError(status: number, codes: readonly string[], hasPages: boolean): Json {
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
      ...(hasPages && { 'text/html': { schema: { type: 'string' } } }),
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
