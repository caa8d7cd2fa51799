import type { TSchema } from 'typebox'

import type { ParameterKeywords } from './schema-keywords.js'

/** The parts of a parameter's schema that determine its encoding. */
export interface ParameterSchema extends ParameterKeywords {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly ParameterSchema[]
  readonly allOf?: readonly ParameterSchema[]
  readonly items?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
  readonly default?: unknown
  readonly maxItems?: number
}

/** A declared schema, typed as plain JSON Schema. */
export function asParameterSchema(schema: TSchema): ParameterSchema {
  return schema as ParameterSchema
}

/** The encoding of a value of `schema`: raw text, or JSON text. */
export function encodingOf(schema: ParameterSchema): 'raw' | 'json' {
  return schema.encoding ?? (isText(schema) ? 'raw' : 'json')
}

/** Whether every value of `schema` is a string or null. */
function isText(schema: ParameterSchema): boolean {
  if (schema.enum !== undefined) {
    return schema.enum.every((member) => typeof member === 'string' || member === null)
  }
  if (schema.anyOf !== undefined) {
    const alternatives = schema.anyOf.filter((alternative) => alternative.type !== 'null')
    return alternatives.length > 0 && alternatives.every(isText)
  }
  if (schema.allOf !== undefined) return schema.allOf.some(isText)
  return schema.type === 'string'
}

/** Whether `schema` itself, or one of its alternatives, is of the JSON Schema type `type`. */
export function admitsType(schema: ParameterSchema, type: string): boolean {
  if (schema.type === type) return true
  if (type === 'null' && schema.enum?.includes(null) === true) return true
  return schema.anyOf?.some((alternative) => admitsType(alternative, type)) ?? false
}

/** Whether `schema` contains an integer type anywhere. */
export function mentionsInteger(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if ((schema as ParameterSchema).type === 'integer') return true
  if (typeof (schema as ParameterSchema).const === 'number') return true
  return Object.values(schema).some(mentionsInteger)
}
