import {
  errorKinds,
  type ErrorKind,
  type ErrorKindName,
} from '../packages/core/src/errors/index.js'
import { callersOf, type Operation } from '../packages/core/src/http/index.js'
import { describeSchema } from '../packages/core/src/http/openapi/openapi-schema.js'
import { asParameterSchema } from '../packages/core/src/http/parameters/parameter-schema.js'
import { commonErrors } from '../packages/core/src/http/pipeline/common-errors.js'
import { isRequired } from '../packages/core/src/http/pipeline/possible-errors.js'
import { pathParameterNames } from '../packages/core/src/http/pipeline/router.js'
import {
  apiTopics,
  topicOf,
} from '../packages/core/src/resources/administration/api-description/index.js'

import { anchorOf, table } from './markdown-page.js'
import {
  flattenSchema,
  limitsText,
  typeText,
  type JsonSchema,
  type SchemaField,
} from './schema-text.js'

/** Fields of a response are listed down to this depth; deeper ones are in the OpenAPI document. */
const maxResponseDepth = 3
const sharedDepth = 2

const lead = `Every operation of the HTTP API: who may call it, its parameters, its result and its errors. The same as JSON Schema is in the [OpenAPI document](openapi.json), which a running server publishes at \`/api/v1/openapi.json\`.

- **Parameters** of \`GET\` are in the query; those of other methods are fields of a form, or members of a JSON object, in the body. In a query or a form, values other than strings are JSON texts. Unknown parameters are ignored, and listed in \`ignored_parameters_unsupported\` of the response.
- **Results** are JSON objects with \`result\` (\`"success"\`) and \`msg\` (empty), which the tables omit. A field with a question mark may be absent.
- **Errors** are listed by status and code. Besides those, every operation may return ${errorTexts(commonErrors).join(', ')}; \`BAD_REQUEST\` is also for invalid parameters, and one that the application has switched off returns 400 \`UNAUTHORIZED_PRINCIPAL\`. A path under \`/api/v1\` with another text in place of an id returns 404 \`BAD_REQUEST\`. [Errors](errors.md) has the texts.
- **Events** that the changes cause are in [events](events.md). [Compatibility](compatibility.md) lists what the API of Zulip has besides.`

/**
 * The body of docs/operations.md.
 *
 * @param components the schemas of the OpenAPI document that operations refer to, by name.
 * @throws {Error} if an operation has no topic, or a topic names an unknown operation.
 */
export function operationsPage(
  operations: readonly Operation[],
  components: Readonly<Record<string, JsonSchema>>,
): string {
  const byTopic = new Map(apiTopics.map((topic) => [topic, [] as Operation[]]))
  for (const operation of operations) {
    const topic = topicOf(operation)
    if (topic === undefined) throw new Error(`${operation.id} has no place in api-topics.ts`)
    byTopic.get(topic)?.push(operation)
  }
  const declared = new Set(operations.map(nameOf))
  for (const name of apiTopics.flatMap(({ first }) => first)) {
    if (!declared.has(name)) throw new Error(`api-topics.ts names ${name}, which is not declared`)
  }
  const topics = [...byTopic].map(([{ title, description, first }, own]) => {
    const place = (operation: Operation): number => {
      const index = first.indexOf(nameOf(operation))
      return index < 0 ? first.length : index
    }
    const sorted = own.toSorted(
      (a, b) => place(a) - place(b) || orderOf(a).localeCompare(orderOf(b)),
    )
    return [`## ${title}`, description, ...sorted.map(sectionOf)].join('\n\n')
  })
  const shared = Object.entries(components).map(([name, schema]) =>
    [`### ${name}`, sharedText(schema)].join('\n\n'),
  )
  const parts = [lead, '## By path', contents(operations), ...topics]
  return [...parts, '## Shared schemas', ...shared].join('\n\n')
}

/** Every path, with a link for each method. */
function contents(operations: readonly Operation[]): string {
  const byPath = new Map<string, Operation[]>()
  for (const operation of operations.toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)))) {
    const path = fullPath(operation)
    byPath.set(path, [...(byPath.get(path) ?? []), operation])
  }
  const rows = Array.from(byPath, ([path, own]) => [
    `\`${path}\``,
    own.map(({ id, method }) => `[${method}](#${anchorOf(id)})`).join(' '),
  ])
  return table(['path', 'operations'], rows)
}

function sectionOf(operation: Operation): string {
  const { id, method, summary, errors } = operation
  const parameters = parameterRows(operation)
  const parts = [
    `### ${id}`,
    `\`${method} ${fullPath(operation)}\``,
    summary,
    `For ${remarksOf(operation).join('. ')}.`,
    parameters.length > 0 &&
      table(['parameter', 'in', 'type', 'limits', 'required', 'default', 'meaning'], parameters),
    resultOf(operation),
    errors.length > 0 && `Errors: ${errorTexts(errors).join(', ')}.`,
  ]
  return parts.filter((part) => part !== false).join('\n\n')
}

function remarksOf(operation: Operation): string[] {
  const isAdministrative = operation.isAdministrative === true
  const remarks = [
    callersOf(operation),
    operation.servesIncomingWebhooks === true && 'Incoming webhook bots may call it',
    operation.longPoll === true && 'The response may be held until something happens',
    operation.upload !== undefined && 'Accepts a file, as `multipart/form-data`',
    isAdministrative && 'Counts as administration for the option `administrationAddresses`',
    operation.visitorLimit !== undefined && 'Without credentials there is a limit for each file',
  ]
  return remarks.filter((remark) => remark !== false)
}

function parameterRows({ method, path, params }: Operation): string[][] {
  const inPath = pathParameterNames(path)
  const place = (name: string): string => {
    if (inPath.has(name)) return 'path'
    return method === 'GET' ? 'query' : 'body'
  }
  return Object.entries(params).flatMap(([name, declared]) => {
    const schema = describeSchema(declared) as JsonSchema
    const { default: fallback, aliases = [] } = asParameterSchema(declared)
    const also = aliases.length === 0 ? '' : `Also accepted as ${aliases.map(code).join(' or ')}.`
    const isNeeded = inPath.has(name) || isRequired(declared)
    const first = [
      code(name),
      place(name),
      typeText(schema),
      limitsText(schema),
      isNeeded ? 'yes' : '',
      fallback === undefined ? '' : code(JSON.stringify(fallback)),
      [schema.description ?? '', also].filter(Boolean).join(' '),
    ]
    const inner = flattenSchema(schema, name, Infinity).map((field) => [
      code(field.name),
      '',
      typeText(field.schema),
      limitsText(field.schema),
      field.isRequired ? 'yes' : '',
      field.schema.default === undefined ? '' : code(JSON.stringify(field.schema.default)),
      field.schema.description ?? '',
    ])
    return [first, ...inner]
  })
}

function resultOf({ mediaType, response }: Operation): string {
  if (mediaType !== undefined && mediaType !== 'application/json') {
    return `Result: ${code(mediaType)}, without an envelope.`
  }
  const schema = describeSchema(response) as JsonSchema
  const envelope = mediaType === undefined ? '' : ' (a document without an envelope)'
  if (schema.$ref !== undefined) return `Result${envelope}: ${typeText(schema)}.`
  const fields = flattenSchema(schema, '', maxResponseDepth)
  if (fields.length === 0) return `Result${envelope}: ${schemaOfNothing(schema)}.`
  return `Result${envelope}:\n\n${fieldTable(fields)}`
}

/** The fields of a schema; its type if it has none. */
function sharedText(schema: JsonSchema): string {
  const fields = flattenSchema(schema, '', sharedDepth)
  return fields.length > 0 ? fieldTable(fields) : `A ${typeText(schema)}.`
}

function fieldTable(fields: readonly SchemaField[]): string {
  const rows = fields.map((field) => [
    `${code(field.name)}${field.isRequired ? '' : ' ?'}`,
    typeText(field.schema),
    field.schema.description ?? '',
  ])
  return table(['field', 'type', 'meaning'], rows)
}

function schemaOfNothing(schema: JsonSchema): string {
  const isEmpty = schema.type === 'object' && schema.additionalProperties === undefined
  return isEmpty ? 'no fields' : typeText(schema)
}

function errorTexts(kinds: readonly ErrorKindName[]): string[] {
  const texts = kinds.map((name) => {
    const kind = errorKinds[name] as ErrorKind<object>
    return `${kind.status} ${code(kind.code ?? name)}`
  })
  return [...new Set(texts)].sort()
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

function orderOf(operation: Operation): string {
  return `${operation.path} ${operation.method}`
}

function fullPath({ path, isAtRoot }: Operation): string {
  return isAtRoot === true ? path : `/api/v1${path}`
}

function code(text: string): string {
  return `\`${text}\``
}
