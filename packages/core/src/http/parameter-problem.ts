import type { ErrorObject } from 'ajv'

import { badRequest, type ChatError } from '../errors/index.js'

const typeNames: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a float',
  boolean: 'a boolean',
  array: 'a list',
  object: 'a dict',
  string: 'a string',
  null: 'null',
}

/**
 * Formulates the message for the first problem that ajv found in a parameter's value.
 *
 * @param errors the errors of one run without `allErrors` but with `verbose`.
 * @param invalid the wording for values outside a closed set.
 */
export function parameterProblem(
  name: string,
  value: unknown,
  errors: readonly ErrorObject[] | null | undefined,
  invalid: 'plain' | 'listed' = 'plain',
): ChatError {
  const error = decisiveError(errors ?? [])
  if (error === undefined) return badRequest(`Invalid ${name}`)
  const place = placeOf(name, value, error.instancePath)
  const wording = (error.parentSchema?.['invalid'] as typeof invalid | undefined) ?? invalid
  return badRequest(problemText(place, error, wording))
}

/** Whether the first problem is a number with a fraction in place of an integer. */
export function isIntegerProblem(errors: readonly ErrorObject[] | null | undefined): boolean {
  const error = decisiveError(errors ?? [])
  if (error === undefined) return false
  const { keyword, params, data } = error
  if (typeof data !== 'number' || Number.isInteger(data)) return false
  if (keyword === 'type') return params['type'] === 'integer'
  return keyword === 'const' || keyword === 'enum' || keyword === 'anyOf'
}

/**
 * The most specific error: inside a union, that of the alternative that the value comes closest to,
 * otherwise that of the first alternative that is not null.
 */
function decisiveError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const last = errors.at(-1)
  if (last?.keyword !== 'anyOf') return last
  const alternatives = last.schema as readonly Readonly<Record<string, unknown>>[]
  const candidates: ErrorObject[] = []
  let isClosedSet = true
  for (const [index, alternative] of alternatives.entries()) {
    if (alternative['type'] === 'null') continue
    if (!('const' in alternative)) isClosedSet = false
    const prefix = `${last.schemaPath}/${index}/`
    const own = errors.filter((error) => error !== last && error.schemaPath.startsWith(prefix))
    const decisive = decisiveError(own)
    if (decisive !== undefined) candidates.push(decisive)
  }
  if (isClosedSet) return last
  const matchesType = (error: ErrorObject) =>
    error.instancePath !== last.instancePath || error.keyword !== 'type'
  return candidates.find(matchesType) ?? candidates[0] ?? last
}

function problemText(place: string, error: ErrorObject, invalid: 'plain' | 'listed'): string {
  const { params } = error
  switch (error.keyword) {
    case 'type':
      return `${place} is not ${typeNames[String(params['type'])] ?? String(params['type'])}`
    case 'required':
      return `${String(params['missingProperty'])} key is missing from ${place}`
    case 'additionalProperties': {
      const key = String(params['additionalProperty'])
      return `Argument "${key}" at ${place}["${key}"] is unexpected`
    }
    case 'minimum':
    case 'exclusiveMinimum':
      return `${place} is too small`
    case 'maximum':
    case 'exclusiveMaximum':
      return `${place} is too large`
    case 'pattern':
      return `${place} has invalid format`
    case 'format':
      return formatText(place, String(params['format']))
    case 'maxJsonLength':
      return `${place} is too long (limit: ${String(error.schema)} characters)`
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'additionalItems':
    case 'minProperties':
    case 'maxProperties':
      return lengthText(place, error)
    default:
      return closedSetText(place, error, invalid)
  }
}

function lengthText(place: string, error: ErrorObject): string {
  const schema = error.parentSchema ?? {}
  const limit = Number(error.params['limit'])
  if (error.keyword === 'additionalItems') return `${place} is not length ${limit}`
  const isFixed =
    (schema['minLength'] !== undefined && schema['minLength'] === schema['maxLength']) ||
    (schema['minItems'] !== undefined &&
      (schema['minItems'] === schema['maxItems'] || Array.isArray(schema['items'])))
  if (isFixed) return `${place} is not length ${limit}`
  if (error.keyword.startsWith('min')) return `${place} is too short.`
  const unit = error.keyword === 'maxLength' ? 'characters' : 'items'
  return `${place} is too long (limit: ${limit} ${unit})`
}

function formatText(place: string, format: string): string {
  if (format === 'uri' || format === 'url') return `Invalid ${place}: Value error, Not a URL`
  if (format === 'date' || format === 'date-time') return `${place} is not a date`
  if (format === 'int64') return `${place} is not an integer`
  return `${place} has invalid format`
}

function closedSetText(place: string, error: ErrorObject, invalid: 'plain' | 'listed'): string {
  if (invalid === 'plain') return `Invalid ${place}`
  const members = closedSetMembers(error)
  const isFraction = typeof error.data === 'number' && !Number.isInteger(error.data)
  const isOfKind = !isFraction && members.some((member) => typeof member === typeof error.data)
  if (members.length > 0 && !isOfKind) {
    return `${place} is not ${typeof members[0] === 'number' ? 'an integer' : 'a string'}`
  }
  return `Invalid ${place}: Value error, Not in the list of possible values`
}

function closedSetMembers(error: ErrorObject): unknown[] {
  if (error.keyword === 'enum') return error.schema as unknown[]
  if (error.keyword === 'const') return [error.schema]
  if (error.keyword !== 'anyOf') return []
  const alternatives = error.schema as readonly Readonly<Record<string, unknown>>[]
  return alternatives.map((alternative) => alternative['const']).filter((member) => member != null)
}

/**
 * Converts a JSON pointer (RFC 6901) to `x[0]["key"]`; whether `0` is an index depends on `value`.
 */
function placeOf(name: string, value: unknown, pointer: string): string {
  if (pointer === '') return name
  let place = name
  let current = value
  for (const escaped of pointer.slice(1).split('/')) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    place += Array.isArray(current) ? `[${key}]` : `["${key}"]`
    current = (current as Record<string, unknown> | undefined)?.[key]
  }
  return place
}
