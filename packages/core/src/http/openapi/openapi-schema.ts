import type { TSchema } from 'typebox'

import type { ParameterKeywords, ResponseKeywords } from '../parameters/schema-keywords.js'

/** A part of an OpenAPI document. */
export type Json = Record<string, unknown>

/** Keywords of Parley, and those that OpenAPI expresses elsewhere. */
const droppedKeywords: ReadonlySet<string> = new Set([
  'encoding',
  'orJson',
  'aliases',
  'trim',
  'refuseBlank',
  'invalid',
  'missing',
  'restOfPath',
  'contentKind',
  'unstorable',
])

const anyKey = '^.*$'

/** Converts a declared schema to JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export function describeSchema(schema: TSchema): Json {
  return described(schema) as Json
}

function described(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(described)
  if (typeof schema !== 'object' || schema === null) return schema
  const { component, orJson, maxJsonLength } = schema as ResponseKeywords & ParameterKeywords
  if (component !== undefined) return { $ref: `#/components/schemas/${component}` }
  if (maxJsonLength !== undefined) {
    const { maxJsonLength: _, description, ...rest } = schema as Json
    const bound = `At most ${maxJsonLength} characters of JSON.`
    return described({ ...rest, description: [description, bound].filter(Boolean).join(' ') })
  }
  if (orJson !== undefined) return withAlternatives(schema as Json, describeSchema(orJson))
  const copy: Json = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (droppedKeywords.has(keyword)) continue
    Object.assign(copy, describedKeyword(keyword, value))
  }
  return withClosedSet(copy)
}

function describedKeyword(keyword: string, value: unknown): Json {
  switch (keyword) {
    case 'properties':
    case '$defs':
      return { [keyword]: describedEach(value as Json) }
    case 'patternProperties': {
      // Code generators support `additionalProperties` only.
      const { [anyKey]: others, ...rest } = describedEach(value as Json)
      return {
        ...(others !== undefined && { additionalProperties: others }),
        ...(Object.keys(rest).length > 0 && { patternProperties: rest }),
      }
    }
    case 'items':
      // Not `prefixItems` itself: linters require `items` beside it, for which code generators then
      // make a further element.
      return Array.isArray(value)
        ? {
            items: { anyOf: described(value) },
            maxItems: value.length,
            'x-prefix-items': described(value),
          }
        : { items: described(value) }
    case 'additionalItems':
      // The `maxItems` of a tuple ends it.
      return {}
    case 'default':
    case 'const':
    case 'enum':
      return { [keyword]: value }
    default:
      return { [keyword]: described(value) }
  }
}

function describedEach(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, inner]) => [name, described(inner)]),
  )
}

/** A string that a JSON body may replace by another type of value. */
function withAlternatives({ orJson: _, description, ...text }: Json, others: Json): Json {
  const { anyOf = [others] } = others as { anyOf?: readonly unknown[] }
  return {
    anyOf: [described(text), ...anyOf],
    ...(description !== undefined && { description }),
  }
}

/** Expresses a union of constants as `enum`, which generators and readers handle better. */
function withClosedSet({ anyOf, ...schema }: Json): Json {
  if (anyOf === undefined) return schema
  const members = anyOf as readonly Json[]
  const [first] = members
  const isClosed =
    members.length > 1 &&
    members.every((member) => {
      const { type, const: value, ...more } = member
      return value !== undefined && type === first?.['type'] && Object.keys(more).length === 0
    })
  if (!isClosed) return { anyOf, ...schema }
  const values = members.map((member) => member['const'])
  const type = values.every(Number.isInteger) ? 'integer' : first?.['type']
  return { type, enum: values, ...schema }
}
