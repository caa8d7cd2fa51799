import type { ErrorObject } from 'ajv'

import { badRequest, ChatError, namedText, NamedText, type TextName } from '../../errors/index.js'

const typeTexts: Readonly<Record<string, TextName>> = {
  integer: 'PARAMETER_NOT_INTEGER',
  number: 'PARAMETER_NOT_NUMBER',
  boolean: 'PARAMETER_NOT_BOOLEAN',
  array: 'PARAMETER_NOT_LIST',
  object: 'PARAMETER_NOT_OBJECT',
  string: 'PARAMETER_NOT_TEXT',
  null: 'PARAMETER_NOT_NULL',
}

/**
 * Names the text for the first problem that ajv found in a parameter's value.
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
  if (error === undefined) return badRequest('PARAMETER_INVALID', { parameter: name })
  const place = placeOf(name, value, error.instancePath)
  const wording = (error.parentSchema?.['invalid'] as typeof invalid | undefined) ?? invalid
  return new ChatError('BAD_REQUEST', { text: problemText(place, error, wording) })
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

function problemText(
  parameter: string,
  error: ErrorObject,
  invalid: 'plain' | 'listed',
): NamedText {
  const { params } = error
  switch (error.keyword) {
    case 'type':
      return new NamedText(typeTexts[String(params['type'])] ?? 'PARAMETER_WRONG_FORMAT', {
        parameter,
      })
    case 'required':
      return namedText('PARAMETER_KEY_MISSING', {
        key: String(params['missingProperty']),
        parameter,
      })
    case 'additionalProperties': {
      const key = String(params['additionalProperty'])
      return namedText('PARAMETER_KEY_UNEXPECTED', { key, parameter: `${parameter}["${key}"]` })
    }
    case 'minimum':
    case 'exclusiveMinimum':
      return namedText('PARAMETER_TOO_SMALL', { parameter })
    case 'maximum':
    case 'exclusiveMaximum':
      return namedText('PARAMETER_TOO_LARGE', { parameter })
    case 'pattern':
      return namedText('PARAMETER_WRONG_FORMAT', { parameter })
    case 'format':
      return formatText(parameter, String(params['format']))
    case 'maxJsonLength':
      return namedText('PARAMETER_TOO_LONG', { parameter, limit: String(error.schema) })
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'additionalItems':
    case 'minProperties':
    case 'maxProperties':
      return lengthText(parameter, error)
    default:
      return closedSetText(parameter, error, invalid)
  }
}

function lengthText(parameter: string, error: ErrorObject): NamedText {
  const schema = error.parentSchema ?? {}
  const limit = Number(error.params['limit'])
  const isFixed =
    error.keyword === 'additionalItems' ||
    (schema['minLength'] !== undefined && schema['minLength'] === schema['maxLength']) ||
    (schema['minItems'] !== undefined &&
      (schema['minItems'] === schema['maxItems'] || Array.isArray(schema['items'])))
  if (isFixed) return namedText('PARAMETER_WRONG_LENGTH', { parameter, limit })
  if (error.keyword.startsWith('min')) return namedText('PARAMETER_TOO_SHORT', { parameter })
  return error.keyword === 'maxLength'
    ? namedText('PARAMETER_TOO_LONG', { parameter, limit })
    : namedText('PARAMETER_TOO_MANY_ITEMS', { parameter, limit })
}

function formatText(parameter: string, format: string): NamedText {
  if (format === 'uri' || format === 'url') return namedText('PARAMETER_NOT_URL', { parameter })
  if (format === 'date' || format === 'date-time')
    return namedText('PARAMETER_NOT_DATE', { parameter })
  if (format === 'int64') return namedText('PARAMETER_NOT_INTEGER', { parameter })
  return namedText('PARAMETER_WRONG_FORMAT', { parameter })
}

function closedSetText(
  parameter: string,
  error: ErrorObject,
  invalid: 'plain' | 'listed',
): NamedText {
  if (invalid === 'plain') return namedText('PARAMETER_INVALID', { parameter })
  const members = closedSetMembers(error)
  const isFraction = typeof error.data === 'number' && !Number.isInteger(error.data)
  const isOfKind = !isFraction && members.some((member) => typeof member === typeof error.data)
  if (members.length === 0 || isOfKind) return namedText('PARAMETER_NOT_POSSIBLE', { parameter })
  return typeof members[0] === 'number'
    ? namedText('PARAMETER_NOT_INTEGER', { parameter })
    : namedText('PARAMETER_NOT_TEXT', { parameter })
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
