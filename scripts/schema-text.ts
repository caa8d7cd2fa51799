/** The parts of JSON Schema that the generated pages show. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly 'x-prefix-items'?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly required?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly pattern?: string
}

/** A field inside an object, with its path: `drafts[].id`. */
export interface SchemaField {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** The fields of an object, and of the objects in it, without the object itself. */
export function flattenSchema(schema: JsonSchema, path: string, depth: number): SchemaField[] {
  if (depth <= 0) return []
  const alternatives = schema.anyOf ?? schema.allOf
  if (alternatives !== undefined) {
    const found = alternatives.flatMap((alternative) => flattenSchema(alternative, path, depth))
    return mergedByName(found)
  }
  if (schema.type === 'array') return flattenSchema(schema.items ?? {}, `${path}[]`, depth)
  const { properties = {}, additionalProperties: others } = schema
  const required = new Set(schema.required ?? [])
  const prefix = path === '' ? '' : `${path}.`
  const own = Object.entries(properties).flatMap(([key, inner]) => [
    { name: `${prefix}${key}`, schema: inner, isRequired: required.has(key) },
    ...flattenSchema(inner, `${prefix}${key}`, depth - 1),
  ])
  if (typeof others !== 'object') return own
  return [...own, ...flattenSchema(others, `${path}{}`, depth)]
}

/** Each name once, with the types that it has in all alternatives. */
function mergedByName(fields: readonly SchemaField[]): SchemaField[] {
  const merged = new Map<string, SchemaField>()
  for (const field of fields) {
    const known = merged.get(field.name) ?? field
    const { description = '' } = known.schema
    const anyOf = [known, field].flatMap(({ schema }) => schema.anyOf ?? [schema])
    const schema = known === field ? field.schema : { description, anyOf }
    merged.set(field.name, { ...known, schema })
  }
  return [...merged.values()]
}

/** A type in words, without its limits. */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return linkToComponent(schema.$ref.replace(/.*\//, ''))
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  }
  const alternatives = schema.anyOf ?? schema.allOf
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeText))].join(' or ')
  switch (schema.type) {
    case 'array': {
      const items = schema['x-prefix-items']?.map(typeText).join(' and ')
      return `list of ${items ?? typeText(schema.items ?? {})}`
    }
    case 'object': {
      const others = schema.additionalProperties
      const isMap = schema.properties === undefined && typeof others === 'object'
      return isMap ? `map of ${typeText(others)}` : 'object'
    }
    default:
      return schema.type ?? 'any value'
  }
}

/** The limits of a value and of the items in it, in words; empty if there are none. */
export function limitsText(schema: JsonSchema): string {
  const alternatives = schema.anyOf ?? schema.allOf
  if (alternatives !== undefined) {
    const limited = alternatives.filter((alternative) => limitsText(alternative) !== '')
    const texts = limited.map((alternative) =>
      limited.length > 1 || alternatives.some(({ type }) => type !== alternative.type)
        ? `${typeText(alternative)}: ${limitsText(alternative)}`
        : limitsText(alternative),
    )
    return [...new Set(texts)].join('; ')
  }
  const items = schema['x-prefix-items']?.[0] ?? schema.items
  // The fields of objects have rows of their own.
  const inner = items === undefined || items.type === 'object' ? '' : limitsText(items)
  return [ownLimits(schema), inner && `each ${inner}`].filter(Boolean).join(', ')
}

function ownLimits(schema: JsonSchema): string {
  const { minLength = 0, maxLength, minItems = 0, maxItems, exclusiveMaximum } = schema
  const { minimum, maximum } = schema
  const hasMinimum = minimum !== undefined && minimum !== -Number.MAX_SAFE_INTEGER
  const hasMaximum = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER
  const limits = [
    rangeText(minLength, maxLength, 'characters'),
    rangeText(minItems, maxItems, 'items'),
    hasMinimum && hasMaximum && `${minimum} to ${maximum}`,
    hasMinimum && !hasMaximum && `at least ${minimum}`,
    !hasMinimum && hasMaximum && `at most ${maximum}`,
    exclusiveMaximum !== undefined && `less than ${exclusiveMaximum}`,
  ]
  return limits.filter(Boolean).join(', ')
}

function rangeText(least: number, most: number | undefined, unit: string): string {
  if (least === most) return `${least} ${unit}`
  if (least > 0 && most !== undefined) return `${least} to ${most} ${unit}`
  if (least > 0) return `at least ${least} ${unit}`
  return most === undefined ? '' : `at most ${most} ${unit}`
}

/** Events have a page of their own; the other shared schemas are at the end of the operations. */
function linkToComponent(name: string): string {
  return name === 'Event' ? '[event](events.md)' : `[${name}](#${name.toLowerCase()})`
}
