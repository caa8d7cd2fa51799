import type { ValidateFunction } from 'ajv'
import { IsOptional, type TSchema } from 'typebox'

import { badRequest, ChatError } from '../../errors/index.js'
import type { Operation } from '../operation.js'
import { DecodedValue, type FieldValue, type FormFields } from './form-fields.js'
import {
  InvalidJsonError,
  defaultMaxItems,
  parseJsonText,
  parseWithVisibleFractions,
  checkJsonLimits,
} from './json-text.js'
import { isIntegerProblem, parameterProblem } from './parameter-problem.js'
import {
  admitsType,
  asParameterSchema,
  encodingOf,
  mentionsInteger,
  type ParameterSchema,
} from './parameter-schema.js'
import type { SchemaCompiler } from './schema-compiler.js'
import { storableValue } from './storable-value.js'

/** The texts of the path parameters, by name. */
export type PathTexts = Readonly<Record<string, string | undefined>>

interface Parameter {
  readonly name: string
  readonly schema: ParameterSchema
  readonly isInPath: boolean
  /** Every name of the parameter, the declared one first. */
  readonly names: readonly [string, ...string[]]
  readonly isRequired: boolean
  readonly isRaw: boolean
  readonly wantsInteger: boolean
  /** Compiles the schema on first use, which takes about a millisecond. */
  readonly validator: () => ValidateFunction
}

/** Maximum length of the name of an unknown parameter that a response repeats, in UTF-16 units. */
const maxRepeatedName = 100
const noNames: readonly string[] = []

/** Decodes the texts of a request into the declared parameters of one operation. */
export class ParameterDecoder {
  readonly #parameters: readonly Parameter[]
  readonly #declaredNames: ReadonlySet<string>
  readonly #knownNames: ReadonlySet<string>

  constructor(operation: Operation, pathNames: ReadonlySet<string>, compiler: SchemaCompiler) {
    this.#parameters = Object.entries(operation.params).map(([name, declared]) => {
      const schema = asParameterSchema(declared)
      return {
        name,
        schema,
        isInPath: pathNames.has(name),
        names: [name, ...(schema.aliases ?? [])],
        isRequired: !IsOptional(declared) && schema.default === undefined,
        isRaw: pathNames.has(name) || encodingOf(schema) === 'raw',
        wantsInteger: mentionsInteger(schema),
        validator: lazyValidator(operation, declared, compiler),
      }
    })
    const inFields = this.#parameters.filter((parameter) => !parameter.isInPath)
    this.#declaredNames = new Set(this.#parameters.map(({ name }) => name))
    this.#knownNames = new Set(['client', ...inFields.flatMap((parameter) => parameter.names)])
  }

  /**
   * Compiles the schemas that no request has used yet; for tests.
   *
   * @throws {TypeError} if one cannot be compiled.
   */
  compile(): void {
    for (const { validator } of this.#parameters) validator()
  }

  /**
   * @throws {ChatError} `REQUEST_VARIABLE_MISSING`, `REQUEST_CONFUSING_VAR` or `BAD_REQUEST` for
   *   the first problem in the order of declaration.
   */
  decode(pathTexts: PathTexts, fields: FormFields): Record<string, unknown> {
    const params: Record<string, unknown> = {}
    for (const parameter of this.#parameters) {
      const field = parameter.isInPath ? pathTexts[parameter.name] : findField(parameter, fields)
      const value = field === undefined ? absentValue(parameter) : decodeField(parameter, field)
      if (value !== undefined) params[parameter.name] = value
    }
    return params
  }

  /**
   * Checks the values that the application's own code passes, as those of a JSON body. The
   * result shares no objects with them.
   *
   * @throws {TypeError} naming every parameter that the operation does not have.
   * @throws {ChatError} as {@link decode}.
   */
  decodeValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    this.#requireKnown(values)
    const params: Record<string, unknown> = {}
    for (const parameter of this.#parameters) {
      const given = values[parameter.name]
      const value = given === undefined ? absentValue(parameter) : decodeGiven(parameter, given)
      if (value !== undefined) params[parameter.name] = value
    }
    return params
  }

  /**
   * Applies changes to decoded parameters, checked as {@link decodeValues} does; an undefined value
   * removes an optional parameter.
   */
  decodeChanges(
    params: Readonly<Record<string, unknown>>,
    changes: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    this.#requireKnown(changes)
    const changed: Record<string, unknown> = { ...params }
    for (const parameter of this.#parameters) {
      const { name } = parameter
      if (!Object.hasOwn(changes, name)) continue
      const given = changes[name]
      const value = given === undefined ? absentValue(parameter) : decodeGiven(parameter, given)
      if (value === undefined) delete changed[name]
      else changed[name] = value
    }
    return changed
  }

  #requireKnown(values: Readonly<Record<string, unknown>>): void {
    const unknown = Object.keys(values).filter((name) => !this.#declaredNames.has(name))
    if (unknown.length > 0) throw new TypeError(`there is no parameter ${unknown.join(', ')}`)
  }

  /** The names in `fields` that the operation does not declare, sorted; long ones are truncated. */
  ignoredNames(fields: FormFields): readonly string[] {
    let ignored: string[] | undefined
    for (const name of fields.keys()) {
      if (!this.#knownNames.has(name)) (ignored ??= []).push(name.slice(0, maxRepeatedName))
    }
    return ignored?.sort() ?? noNames
  }
}

function lazyValidator(
  { id }: Operation,
  schema: TSchema,
  compiler: SchemaCompiler,
): () => ValidateFunction {
  let validate: ValidateFunction | undefined
  return () => {
    try {
      return (validate ??= compiler.compile(schema, { closedObjects: false }))
    } catch (error) {
      throw new TypeError(`Operation ${id}: a parameter's schema cannot be compiled`, {
        cause: error,
      })
    }
  }
}

function findField({ names }: Parameter, fields: FormFields): FieldValue | undefined {
  if (names.length === 1) return fields.get(names[0])
  const present = names.filter((name) => fields.has(name))
  const [first, second] = present
  if (first !== undefined && second !== undefined) {
    throw new ChatError('REQUEST_CONFUSING_VAR', {
      fields: { var_name1: first, var_name2: second },
    })
  }
  return first === undefined ? undefined : fields.get(first)
}

function absentValue({ name, schema, isRequired }: Parameter): unknown {
  if (isRequired) {
    throw new ChatError('REQUEST_VARIABLE_MISSING', {
      fields: { var_name: name },
      ...(schema.missing !== undefined && { message: schema.missing }),
    })
  }
  // A handler may modify its parameters, so the default is copied.
  return typeof schema.default === 'object' ? structuredClone(schema.default) : schema.default
}

function decodeField(parameter: Parameter, field: FieldValue): unknown {
  if (parameter.isInPath && parameter.schema.type === 'integer') {
    // Longer than any id: the operation answers that the object does not exist.
    return Math.min(Number(field), Number.MAX_SAFE_INTEGER)
  }
  return describingBadJson(parameter, () => {
    if (field instanceof DecodedValue) return decodeValue(parameter, field)
    return parameter.isRaw ? decodeRaw(parameter, field) : decodeJson(parameter, field)
  })
}

function decodeGiven(parameter: Parameter, value: unknown): unknown {
  if (typeof value === 'string') {
    const text = tidied(parameter, value)
    return checked(parameter, parameter.isRaw ? interpretRaw(parameter.schema, text) : text)
  }
  const decoded = new DecodedValue(value)
  return structuredClone(describingBadJson(parameter, () => decodeValue(parameter, decoded)))
}

function describingBadJson<Value>({ name }: Parameter, decode: () => Value): Value {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error
    throw new ChatError('BAD_REQUEST', { text: error.textOf(name) })
  }
}

function decodeValue(parameter: Parameter, decoded: DecodedValue): unknown {
  if (meansItsText(parameter, decoded)) return decodeRaw(parameter, JSON.stringify(decoded.value))
  return decodeParsed(parameter, decoded)
}

function meansItsText(parameter: Parameter, { value }: DecodedValue): boolean {
  if (parameter.schema.orJson === undefined) return false
  // Checked before serializing, which would overflow the stack for too many levels.
  checkJsonLimits(value, maxItemsOf(parameter))
  return typeof value !== 'string' && value !== null
}

/** An operation that accepts more than the default sets `maxItems`. */
function maxItemsOf({ schema }: Parameter): number {
  return Math.max(schema.maxItems ?? 0, defaultMaxItems)
}

function decodeRaw(parameter: Parameter, text: string): unknown {
  return checked(parameter, interpretRaw(parameter.schema, tidied(parameter, text)))
}

/** A raw text is parsed as null, a number or a boolean only if the schema allows that type. */
function interpretRaw(schema: ParameterSchema, text: string): unknown {
  if (schema.type === 'string') return text
  if (text === 'null' && admitsType(schema, 'null')) return null
  if (/^-?\d{1,16}$/.test(text) && admitsType(schema, 'integer')) {
    const number = Number(text)
    if (Number.isSafeInteger(number)) return number
  }
  if ((text === 'true' || text === 'false') && admitsType(schema, 'boolean')) return text === 'true'
  return text
}

function decodeJson(parameter: Parameter, text: string): unknown {
  const parsed = parseJsonText(text, maxItemsOf(parameter))
  const value = typeof parsed === 'string' ? tidied(parameter, parsed) : parsed
  return checked(
    parameter,
    value,
    parameter.wantsInteger ? parseWithVisibleFractions(text) : undefined,
  )
}

function decodeParsed(parameter: Parameter, { value, visible }: DecodedValue): unknown {
  checkJsonLimits(value, maxItemsOf(parameter))
  return checked(parameter, value, visible)
}

function tidied({ name, schema }: Parameter, text: string): string {
  if (schema.refuseBlank === true && text.trim() === '')
    throw badRequest('PARAMETER_BLANK', { parameter: name })
  return schema.trim === true ? text.trim() : text
}

function checked(parameter: Parameter, value: unknown, visible?: unknown): unknown {
  const { name, schema, wantsInteger } = parameter
  const validate = parameter.validator()
  if (visible !== undefined && wantsInteger && !validate(visible)) {
    if (isIntegerProblem(validate.errors)) {
      throw parameterProblem(name, visible, validate.errors, schema.invalid)
    }
  }
  if (validate(value)) return storableValue(name, schema, value)
  throw parameterProblem(name, value, validate.errors, schema.invalid)
}

/**
 * The declarations are the same for every server in a process, and a decoder keeps no state between
 * requests, so each schema is compiled once.
 */
const decoders = new WeakMap<Operation, ParameterDecoder>()

export function decoderOf(
  operation: Operation,
  pathNames: ReadonlySet<string>,
  compiler: SchemaCompiler,
): ParameterDecoder {
  let decoder = decoders.get(operation)
  if (decoder === undefined) {
    decoder = new ParameterDecoder(operation, pathNames, compiler)
    decoders.set(operation, decoder)
  }
  return decoder
}
