import type { TSchema } from 'typebox'

import type { Operation } from '../operation.js'
import { asParameterSchema, encodingOf } from '../parameters/parameter-schema.js'
import { callersOf } from '../pipeline/access.js'
import { isRequired } from '../pipeline/possible-errors.js'
import { pathParameterNames } from '../pipeline/router.js'
import { hasIdInPath, type DocumentedOperation } from './openapi-paths.js'
import { describeResponses } from './openapi-responses.js'
import { describeSchema, type Json } from './openapi-schema.js'

/** The authentication methods; the keys are the names of the security schemes. */
export const securitySchemes = {
  basicAuth: { type: 'http', scheme: 'basic', description: 'E-mail address and API key.' },
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A token of the product that the chat is mounted into, if its option `identify` takes one, or a token that the product has created with `chat.users.createToken`.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The session of the product that the chat is mounted into, if it sets the option `identify`. The product chooses the name of the cookie. Requests that write must come from a page of the same origin, or of a trusted one.',
  },
} as const

/** The security alternatives of an operation that requires credentials. */
export const withCredentials: readonly Json[] = Object.keys(securitySchemes).map((name) => ({
  [name]: [],
}))

const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean'])

export function describeOperation(
  { path, operation, routeErrors }: DocumentedOperation,
  tag?: string,
): Json {
  const { id, method, params, summary, upload } = operation
  const inPath = pathParameterNames(path)
  const isForm = method !== 'GET'
  const entries = Object.entries(params)
  const fields = isForm ? entries.filter(([name]) => !inPath.has(name)) : []
  const parameters = [
    ...entries.filter(([name]) => inPath.has(name)).map(([name, schema]) => inPathOf(name, schema)),
    ...(isForm ? [] : entries)
      .filter(([name]) => !inPath.has(name))
      .map(([name, schema]) => inQueryOf(name, schema)),
  ]
  const hasBody = fields.length > 0 || upload !== undefined
  return {
    operationId: id,
    ...(tag !== undefined && { tags: [tag] }),
    summary,
    description: descriptionOf(operation),
    ...securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: describeBody(fields, upload !== undefined) }),
    responses: describeResponses(operation, routeErrors),
  }
}

function descriptionOf(operation: Operation): string {
  const sentences = [
    `For ${callersOf(operation)}.`,
    operation.longPoll === true &&
      'The response may be held until something happens (a long poll).',
    operation.servesIncomingWebhooks === true && 'Incoming webhook bots may call it.',
    operation.upload !== undefined && 'Accepts one file.',
    operation.isAtRoot === true &&
      hasIdInPath(operation) &&
      'Where the path has another text in place of an id, the application answers, and not the chat.',
  ]
  return `${operation.summary}\n\n${sentences.filter(Boolean).join(' ')}`
}

/**
 * The operation's `security` if it differs from the document's; an empty alternative makes it
 * optional.
 */
function securityOf({ access }: Operation): Json {
  if (access === 'anyone') return { security: [] }
  if (access !== 'visitor' && access !== 'userOrSpectator') return {}
  return { security: [...withCredentials, {}] }
}

function inPathOf(name: string, declared: TSchema): Json {
  const { description, ...schema } = describeSchema(declared)
  const isRest = asParameterSchema(declared).restOfPath === true
  const about = isRest ? 'The rest of the path; slashes in it may be encoded.' : description
  return {
    name,
    in: 'path',
    required: true,
    ...(about !== undefined && { description: about }),
    schema,
  }
}

function inQueryOf(name: string, declared: TSchema): Json {
  const { description, ...schema } = describeSchema(declared)
  return {
    name,
    in: 'query',
    required: isRequired(declared),
    ...(description !== undefined && { description }),
    schema: asText(declared, schema),
  }
}

/**
 * The schema of a parameter's text in a query. Arrays and objects are sent as JSON. OpenAPI has
 * `content` for that, but generated clients then send something else; they send a string of JSON
 * unchanged.
 */
function asText(declared: TSchema, schema: Json): Json {
  const { anyOf, ...rest } = schema
  const alternatives = (anyOf as readonly Json[] | undefined) ?? [rest]
  // A client omits the parameter for null.
  const values = alternatives.filter(({ type }) => type !== 'null')
  const isJson = encodingOf(asParameterSchema(declared)) === 'json'
  if (!isJson || values.every(({ type }) => scalarTypes.has(type))) {
    return values.length === 1 ? { ...rest, ...values[0] } : { ...rest, anyOf: values }
  }
  const { default: fallback, ...contentSchema } = schema
  return {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema,
    ...(fallback !== undefined && { default: JSON.stringify(fallback) }),
  }
}

function describeBody(fields: readonly [string, TSchema][], hasFiles: boolean): Json {
  const required = fields.filter(([, schema]) => isRequired(schema)).map(([name]) => name)
  const schema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(([name, declared]) => [name, describeSchema(declared)])),
      ...(hasFiles && { file: { type: 'string', format: 'binary' } }),
    },
    ...(required.length > 0 && { required }),
  }
  const encoding = fields
    .filter(([, declared]) => encodingOf(asParameterSchema(declared)) === 'json')
    .map(([name]) => [name, { contentType: 'application/json' }] as const)
  const form = { schema, ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }) }
  return {
    required: required.length > 0 || hasFiles,
    content: hasFiles
      ? { 'multipart/form-data': form }
      : // Generated clients use the first media type; in JSON they send arrays and objects unchanged.
        { 'application/json': { schema }, 'application/x-www-form-urlencoded': form },
  }
}
