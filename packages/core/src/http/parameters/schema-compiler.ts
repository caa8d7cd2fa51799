import type { Ajv, ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

import { loadAjv } from '../../kernel/load-ajv.js'

type Schema = Record<string, unknown>

/** How strictly a declared schema is compiled. */
export interface Strictness {
  /** Whether an object without `additionalProperties` may only have the declared keys. */
  readonly closedObjects: boolean
}

/** Keywords that do not affect validation. */
const uncheckedKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'encoding',
  'orJson',
  'aliases',
  'trim',
  'refuseBlank',
  'missing',
  'restOfPath',
  'contentKind',
  'unstorable',
  'component',
])

/**
 * Compiles declared schemas to validators; equal schemas share one.
 *
 * Unknown keywords and formats are errors, so that no misspelling passes the tests.
 */
export class SchemaCompiler {
  readonly #validatesSchemas: boolean
  #ajv: Ajv | undefined
  readonly #validators = new Map<string, ValidateFunction>()

  /**
   * @param validatesSchemas whether schemas are compared with the meta-schema first. Compiling that
   *   takes longer than most operations, and the declarations do not change; for tests.
   */
  constructor({ validatesSchemas = false }: { readonly validatesSchemas?: boolean } = {}) {
    this.#validatesSchemas = validatesSchemas
  }

  /** @throws {Error} if ajv cannot compile the schema. */
  compile(schema: TSchema, strictness: Strictness): ValidateFunction {
    const prepared = prepare(schema, strictness.closedObjects)
    const key = JSON.stringify(prepared)
    let validator = this.#validators.get(key)
    if (validator === undefined) {
      this.#ajv ??= createAjv(this.#validatesSchemas)
      validator = this.#ajv.compile(prepared as object)
      this.#validators.set(key, validator)
    }
    return validator
  }
}

function createAjv(validatesSchemas: boolean): Ajv {
  const Library = loadAjv()
  const ajv = new Library({
    meta: validatesSchemas,
    validateSchema: validatesSchemas,
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allowUnionTypes: true,
    // Error messages use the schema and the value in ajv's errors.
    verbose: true,
    logger: false,
    // To optimize the code takes as long as to generate it, and the engine does the same.
    code: { optimize: false },
    formats: { uri: isUrl, url: isUrl, date: isDate, 'date-time': isDateTime, int64: isInt64 },
  })
  // Determines the wording, so it must be present in ajv's errors.
  ajv.addKeyword('invalid')
  ajv.addKeyword({
    keyword: 'maxJsonLength',
    schemaType: 'number',
    validate: (limit: number, value: unknown) => jsonLength(value) <= limit,
  })
  return ajv
}

/** A copy of `schema` in which integers are limited to safe integers, and objects may be closed. */
function prepare(schema: unknown, closedObjects: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => prepare(item, closedObjects))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Schema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (uncheckedKeywords.has(keyword)) continue
    if (keyword === 'const' || keyword === 'enum' || keyword === 'required') copy[keyword] = value
    else if (keyword === 'properties' || keyword === 'patternProperties' || keyword === '$defs') {
      copy[keyword] = prepareEach(value as Schema, closedObjects)
    } else if (keyword === 'allOf') {
      // Another part of an intersection may declare the key.
      copy[keyword] = prepare(value, false)
    } else copy[keyword] = prepare(value, closedObjects)
  }
  if (copy['type'] === 'integer') boundInteger(copy)
  if (closedObjects && copy['type'] === 'object' && copy['patternProperties'] === undefined) {
    copy['additionalProperties'] ??= false
  }
  return copy
}

function prepareEach(schemas: Schema, closedObjects: boolean): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, prepare(schema, closedObjects)]),
  )
}

function boundInteger(schema: Schema): void {
  if (schema['exclusiveMinimum'] === undefined) schema['minimum'] ??= Number.MIN_SAFE_INTEGER
  if (schema['exclusiveMaximum'] === undefined) schema['maximum'] ??= Number.MAX_SAFE_INTEGER
}

function jsonLength(value: unknown): number {
  return typeof value === 'string' ? value.length + 2 : JSON.stringify(value).length
}

function isUrl(text: string): boolean {
  return URL.canParse(text)
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isDateTime(text)
}

function isDateTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text))
}

/** Whether it is the decimal form of a 64-bit integer, which a number cannot represent exactly. */
function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}
