/** The keywords of JSON Schema that bound a value, as declarations use them. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly items?: Schema | readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly orJson?: Schema
  readonly maxJsonLength?: number
}

/** The parts of `schema` without a bound, each with its path; empty if there are none. */
export function missingBounds(place: string, declared: unknown): string[] {
  const schema = declared as Schema
  if (schema.const !== undefined || schema.enum !== undefined) return []
  if (schema.maxJsonLength !== undefined) return []
  const orJson = schema.orJson === undefined ? [] : missingBounds(`${place} (JSON)`, schema.orJson)
  return [...orJson, ...ofValue(place, schema)]
}

function ofValue(place: string, schema: Schema): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => missingBounds(place, one))
  if (schema.allOf !== undefined) {
    // One part that bounds the value is enough.
    const missing = schema.allOf.map((one) => missingBounds(place, one))
    return missing.some((one) => one.length === 0) ? [] : missing.flat()
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return [`${place} has no type`]
  return types.flatMap((type) => ofType(place, schema, type))
}

function ofType(place: string, schema: Schema, type: string): string[] {
  switch (type) {
    case 'string':
      return schema.maxLength === undefined ? [`${place} has no maxLength`] : []
    case 'integer':
    case 'number':
      return ofNumber(place, schema)
    case 'array':
      return ofList(place, schema)
    case 'object':
      return ofObject(place, schema)
    default:
      return []
  }
}

function ofNumber(place: string, schema: Schema): string[] {
  const hasMinimum = (schema.minimum ?? schema.exclusiveMinimum) !== undefined
  const hasMaximum = (schema.maximum ?? schema.exclusiveMaximum) !== undefined
  return [
    ...(hasMinimum ? [] : [`${place} has no minimum`]),
    ...(hasMaximum ? [] : [`${place} has no maximum`]),
  ]
}

function ofList(place: string, { items = {}, maxItems }: Schema): string[] {
  const each = Array.isArray(items) ? (items as readonly Schema[]) : [items as Schema]
  return [
    ...(maxItems === undefined ? [`${place} has no maxItems`] : []),
    ...each.flatMap((one) => missingBounds(`${place}[]`, one)),
  ]
}

/** Undeclared keys are bounded in number and length; an operation may reject them all. */
function ofObject(place: string, schema: Schema): string[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const open = [
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  const isOpen = open.length > 0 || additionalProperties !== false
  return [
    ...(isOpen && schema.maxProperties === undefined ? [`${place} has no maxProperties`] : []),
    ...(isOpen && schema.propertyNames?.maxLength === undefined
      ? [`${place} has no propertyNames with a maxLength`]
      : []),
    ...open.flatMap((one) => missingBounds(`${place}{}`, one)),
    ...Object.entries(properties).flatMap(([key, one]) => missingBounds(`${place}.${key}`, one)),
  ]
}
