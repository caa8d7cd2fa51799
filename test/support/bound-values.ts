/** The parts of JSON Schema that declarations of parameters use. */
export interface BoundedSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly BoundedSchema[]
  readonly default?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: BoundedSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, BoundedSchema>>
  readonly maxJsonLength?: number
}

/** A valid value, as small as possible. @param index makes the items of a list differ. */
export function usualValue(schema: BoundedSchema, index = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return usualValue(mainAlternative(schema.anyOf), index)
  const { minimum = 0, maximum = Infinity, minLength = 0, minItems = 0 } = schema
  switch (schema.type) {
    case 'string':
      return `x${index}`.padEnd(minLength, 'x')
    case 'integer':
    case 'number':
      return Math.min(Math.max(minimum, index + 1), maximum)
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: minItems }, (_, item) => usualValue(schema.items ?? {}, item))
    case 'object':
      return usualObject(schema)
    default:
      return 'x'
  }
}

/** The largest valid value, or a list with the maximum number of small ones. */
export function largestValue(schema: BoundedSchema): unknown {
  if (schema.const !== undefined || schema.enum !== undefined) return usualValue(schema)
  if (schema.anyOf !== undefined) return largestValue(mainAlternative(schema.anyOf))
  switch (schema.type) {
    case 'string':
      return 'x'.repeat(schema.maxLength ?? 0)
    case 'integer':
    case 'number':
      return schema.maximum
    case 'array':
      return listOf(schema, schema.maxItems ?? 0)
    case 'object':
      return {
        ...usualObject(schema),
        ...eachProperty(schema, (property) => largestValue(property)),
      }
    default:
      return schema.maxJsonLength === undefined
        ? usualValue(schema)
        : 'x'.repeat(schema.maxJsonLength - 2)
  }
}

/** Values just beyond one of the bounds of `schema`, or of a part of it. */
export function valuesBeyond(schema: BoundedSchema): unknown[] {
  if (schema.const !== undefined || schema.enum !== undefined) return []
  if (schema.anyOf !== undefined) {
    const takesText = schema.anyOf.some(({ type }) => type === 'string')
    // A number that is too large may be a text.
    return schema.anyOf
      .filter(({ type }) => !takesText || type !== 'integer')
      .flatMap((alternative) => valuesBeyond(alternative))
  }
  const ofWhole =
    schema.maxJsonLength === undefined ? [] : [beyondJsonLength(schema, schema.maxJsonLength)]
  switch (schema.type) {
    case 'string':
      return schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]
    case 'integer':
    case 'number': {
      const { minimum, maximum } = schema
      return [
        ...(minimum === undefined ? [] : [minimum - 1]),
        ...(maximum === undefined ? [] : [maximum + 1]),
      ]
    }
    case 'array':
      return [
        ...(schema.maxItems === undefined ? [] : [listOf(schema, schema.maxItems + 1)]),
        ...valuesBeyond(schema.items ?? {}).map((item) => [
          item,
          ...listOf(schema, Math.max((schema.minItems ?? 0) - 1, 0)),
        ]),
      ]
    case 'object':
      return [
        ...ofWhole,
        ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
          valuesBeyond(property).map((value) => ({ ...usualObject(schema), [name]: value })),
        ),
      ]
    default:
      return ofWhole
  }
}

function beyondJsonLength(schema: BoundedSchema, limit: number): unknown {
  const text = 'x'.repeat(limit)
  return schema.type === 'object' ? { ...usualObject(schema), other: text } : text
}

function listOf({ items = {} }: BoundedSchema, length: number): unknown[] {
  return Array.from({ length }, (_, index) => usualValue(items, index))
}

function usualObject(schema: BoundedSchema): Record<string, unknown> {
  const required = new Set(schema.required)
  return eachProperty(schema, (property) => usualValue(property), required)
}

function eachProperty(
  { properties = {} }: BoundedSchema,
  valueOf: (property: BoundedSchema) => unknown,
  only?: ReadonlySet<string>,
): Record<string, unknown> {
  const wanted = Object.entries(properties).filter(([name]) => only?.has(name) !== false)
  return Object.fromEntries(wanted.map(([name, property]) => [name, valueOf(property)]))
}

function mainAlternative(alternatives: readonly BoundedSchema[]): BoundedSchema {
  const [first = {}, ...others] = alternatives.filter(({ type }) => type !== 'null')
  return others.find(({ type }) => type === 'array') ?? first
}
