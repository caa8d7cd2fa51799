import type { JsonSchema } from './schema-text.js'

/** The type of the values of a schema. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return componentName(schema)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => JSON.stringify(value)))
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf.map(typeOf))
  if (schema.allOf !== undefined) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ')
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      if (schema['x-prefix-items'] !== undefined)
        return `readonly [${schema['x-prefix-items'].map(typeOf).join(', ')}]`
      return `readonly ${inParentheses(typeOf(schema.items ?? {}))}[]`
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

function objectOf({
  properties = {},
  required = [],
  additionalProperties: others,
}: JsonSchema): string {
  const record =
    typeof others === 'object' ? `Readonly<Record<string, ${typeOf(others)}>>` : undefined
  if (Object.keys(properties).length === 0) return record ?? 'Readonly<Record<string, unknown>>'
  const own = fieldsText(properties, new Set(required), 'readonly ')
  return record === undefined ? own : `${own} & ${record}`
}

/** The type of an object with these fields, with their descriptions. */
export function fieldsText(
  fields: Readonly<Record<string, JsonSchema | 'file'>>,
  required: ReadonlySet<string>,
  modifier: string,
): string {
  const lines = Object.entries(fields).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    const mark = required.has(name) ? '' : '?'
    if (schema === 'file') return `  ${modifier}file?: FileToUpload`
    const undefinedToo = required.has(name) ? '' : ' | undefined'
    return `${comment([schema.description ?? ''], '  ')}  ${modifier}${key}${mark}: ${typeOf(schema)}${undefinedToo}`
  })
  return `{\n${lines.join('\n')}\n}`
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function inParentheses(type: string): string {
  return type.includes(' ') ? `(${type})` : type
}

/** The name of the schema that is referred to. */
export function componentName({ $ref = '' }: JsonSchema): string {
  return $ref.replace(/.*\//, '')
}

/** A doc comment; empty without a text. */
export function comment(parts: readonly string[], indent: string): string {
  const text = parts
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll('*/', '* /')
  return text === '' ? '' : `${indent}/** ${text} */\n`
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
