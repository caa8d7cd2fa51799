import { IsOptional, type TSchema } from 'typebox'

import { errorKinds, type ErrorKind, type ErrorKindName } from '../errors/index.js'
import type { Operation, ResponseKeywords } from './operation.js'
import { asParameterSchema, encodingOf } from './parameter-schema.js'
import { pathParameterNames } from './router.js'

type Json = Record<string, unknown>

export interface OpenApiOptions {
  /** Where the server is reached, such as `https://chat.example`. */
  readonly origin: string
  /** @default '/api/v1' */
  readonly prefix?: string
  /** @default 'Chat API' */
  readonly title?: string
  /** @default '1' */
  readonly version?: string
  /** Schemas by the names that `component` keywords in answers refer to. */
  readonly components?: Readonly<Record<string, TSchema>>
}

/** Keywords of ours, and those that OpenAPI says in another place. */
const droppedKeywords: ReadonlySet<string> = new Set([
  'encoding',
  'aliases',
  'trim',
  'refuseBlank',
  'invalid',
  'missing',
  'restOfPath',
])

const everywhere: readonly ErrorKindName[] = ['BAD_REQUEST', 'RATE_LIMIT_HIT']
const withParameters: readonly ErrorKindName[] = ['REQUEST_VARIABLE_MISSING']
const withCredentials: readonly ErrorKindName[] = [
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
]

/** Describes operations as an OpenAPI 3.1 document; those that are `undocumented` are left out. */
export function openApiDocument(operations: readonly Operation[], options: OpenApiOptions): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    if (operation.undocumented === true) continue
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describeOperation(operation)
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title ?? 'Chat API', version: options.version ?? '1' },
    servers: [{ url: options.origin + (options.prefix ?? '/api/v1') }],
    security: [{ basicAuth: [] }],
    paths,
    components: {
      securitySchemes: {
        basicAuth: { type: 'http', scheme: 'basic', description: 'E-mail address and API key.' },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['result', 'msg'],
          properties: {
            result: { const: 'error' },
            msg: { type: 'string', description: 'For people; programs look at `code`.' },
            code: { type: 'string' },
          },
        },
        ...(cleaned(options.components ?? {}) as Json),
      },
    },
  }
}

function describeOperation(operation: Operation): Json {
  const inPath = pathParameterNames(operation.path)
  const params = Object.entries(operation.params)
  const isForm = operation.method !== 'GET'
  const parameters = params
    .filter(([name]) => inPath.has(name) || !isForm)
    .map(([name, schema]) => describeParameter(name, schema, inPath.has(name)))
  const fields = isForm ? params.filter(([name]) => !inPath.has(name)) : []
  const hasBody = fields.length > 0 || operation.upload !== undefined
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: describeForm(fields, operation.upload !== undefined) }),
    responses: { 200: describeSuccess(operation), ...describeErrors(operation) },
  }
}

/** What differs from the document's own `security`; an empty alternative makes it optional. */
function securityOf({ access }: Operation): Json {
  if (access === 'anyone') return { security: [] }
  if (access !== 'visitor' && access !== 'userOrSpectator') return {}
  return { security: [{ basicAuth: [] }, {}] }
}

function describeParameter(name: string, schema: TSchema, isInPath: boolean): Json {
  const { description, ...rest } = cleaned(schema) as Json
  const isJson = !isInPath && encodingOf(asParameterSchema(schema)) === 'json'
  const isScalar = ['integer', 'number', 'boolean'].includes(String(rest['type']))
  return {
    name,
    in: isInPath ? 'path' : 'query',
    required: isInPath || isRequired(schema),
    ...(description !== undefined && { description }),
    // The JSON text of a scalar is what a plain parameter would be as well.
    ...(isJson && !isScalar
      ? { content: { 'application/json': { schema: rest } } }
      : { schema: rest }),
  }
}

function describeForm(fields: readonly [string, TSchema][], hasFiles: boolean): Json {
  const required = fields.filter(([, schema]) => isRequired(schema)).map(([name]) => name)
  const encoded = fields.filter(([, schema]) => encodingOf(asParameterSchema(schema)) === 'json')
  const media = {
    schema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(fields.map(([name, schema]) => [name, cleaned(schema)])),
        ...(hasFiles && { file: { type: 'string', contentMediaType: 'application/octet-stream' } }),
      },
      ...(required.length > 0 && { required }),
    },
    ...(encoded.length > 0 && {
      encoding: Object.fromEntries(
        encoded.map(([name]) => [name, { contentType: 'application/json' }]),
      ),
    }),
  }
  return {
    required: required.length > 0 || hasFiles,
    content: hasFiles
      ? { 'multipart/form-data': media }
      : { 'application/x-www-form-urlencoded': media, 'multipart/form-data': media },
  }
}

const envelope = {
  result: { const: 'success' },
  msg: { const: '' },
  ignored_parameters_unsupported: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names in the request that the operation does not know.',
  },
} as const

function describeSuccess(operation: Operation): Json {
  const payload = cleaned(operation.response) as {
    type?: string
    properties?: Json
    required?: string[]
  }
  const schema =
    payload.type === 'object'
      ? {
          ...payload,
          properties: { ...envelope, ...payload.properties },
          required: ['result', 'msg', ...(payload.required ?? [])],
        }
      : {
          allOf: [{ type: 'object', properties: envelope, required: ['result', 'msg'] }, payload],
        }
  return { description: 'Success.', content: { 'application/json': { schema } } }
}

function describeErrors(operation: Operation): Json {
  const kinds = new Set<ErrorKindName>([
    ...everywhere,
    ...(Object.keys(operation.params).length > 0 ? withParameters : []),
    ...(operation.access === 'anyone' ? [] : withCredentials),
    ...operation.errors,
  ])
  const codesByStatus = new Map<number, Set<string>>()
  for (const kind of kinds) {
    const row = errorKinds[kind] as ErrorKind<object>
    const codes = codesByStatus.get(row.status) ?? new Set()
    codesByStatus.set(row.status, codes.add(row.code ?? kind))
  }
  const answers = Array.from(codesByStatus, ([status, codes]): [string, Json] => {
    const schema = {
      allOf: [
        { $ref: '#/components/schemas/Error' },
        { properties: { code: { enum: [...codes].sort() } } },
      ],
    }
    const description = `Refused: ${[...codes].sort().join(', ')}.`
    return [String(status), { description, content: { 'application/json': { schema } } }]
  })
  return Object.fromEntries(answers)
}

function isRequired(schema: TSchema): boolean {
  return !IsOptional(schema) && asParameterSchema(schema).default === undefined
}

/** A declared schema as JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
function cleaned(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(cleaned)
  if (typeof schema !== 'object' || schema === null) return schema
  const { component } = schema as ResponseKeywords
  if (component !== undefined) return { $ref: `#/components/schemas/${component}` }
  const copy: Json = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (droppedKeywords.has(keyword)) continue
    if (keyword === 'properties' || keyword === 'patternProperties' || keyword === '$defs') {
      const entries = Object.entries(value as Json).map(([name, inner]) => [name, cleaned(inner)])
      copy[keyword] = Object.fromEntries(entries)
    } else if (keyword === 'items' && Array.isArray(value)) copy['prefixItems'] = cleaned(value)
    else if (keyword === 'additionalItems') copy['items'] = cleaned(value)
    else if (keyword === 'default' || keyword === 'const' || keyword === 'enum') {
      copy[keyword] = value
    } else copy[keyword] = cleaned(value)
  }
  return copy
}
