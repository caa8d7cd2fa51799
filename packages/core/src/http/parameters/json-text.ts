import { namedText } from '../../errors/index.js'
import { JsonTooLargeError, maxJsonDepth, parseUntrustedJson } from '../../kernel/untrusted-json.js'

/** In characters; parsing longer texts would block the process for too long. */
export const maxJsonLength = 2 * 1024 * 1024

/** Default maximum number of items of an array. SQLite takes 32,766 values in a statement. */
export const defaultMaxItems = 20_000

const integralFloat = /\d\.|\d[eE]/
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Thrown if a text is not valid JSON for a parameter. */
export class InvalidJsonError extends Error {
  /** @param textOf the error's text for the parameter of a name. */
  constructor(
    readonly textOf = (parameter: string) => namedText('PARAMETER_INVALID_JSON', { parameter }),
    options?: ErrorOptions,
  ) {
    super(textOf('The text').toString(), options)
  }
}

/**
 * @param maxItems maximum number of items of an array.
 * @throws {InvalidJsonError} if `text` is not JSON, or JSON beyond the limits of a parameter.
 */
export function parseJsonText(text: string, maxItems = defaultMaxItems): unknown {
  if (text.length > maxJsonLength) {
    throw new InvalidJsonError((parameter) =>
      namedText('PARAMETER_TOO_LONG', { parameter, limit: maxJsonLength }),
    )
  }
  let value: unknown
  try {
    value = parseUntrustedJson(text)
  } catch (error) {
    if (error instanceof JsonTooLargeError && error.limit !== undefined) {
      throw tooManyItems(Math.min(error.limit, maxItems))
    }
    throw new InvalidJsonError(undefined, { cause: error })
  }
  checkJsonLimits(value, maxItems)
  return value
}

/**
 * Rejects values that are nested so deeply that later code would overflow the stack, arrays that
 * are longer than a database takes, and keys that would set a prototype if the object were copied
 * by assignment.
 *
 * @throws {InvalidJsonError}
 */
export function checkJsonLimits(value: unknown, maxItems = defaultMaxItems, depth = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === maxJsonDepth) throw new InvalidJsonError()
  if (Array.isArray(value)) {
    if (value.length > maxItems) throw tooManyItems(maxItems)
    for (const item of value) checkJsonLimits(item, maxItems, depth + 1)
    return
  }
  if (Object.hasOwn(value, '__proto__')) throw new InvalidJsonError()
  for (const item of Object.values(value)) checkJsonLimits(item, maxItems, depth + 1)
}

function tooManyItems(limit: number): InvalidJsonError {
  return new InvalidJsonError((parameter) =>
    namedText('PARAMETER_TOO_MANY_ITEMS', { parameter, limit }),
  )
}

/**
 * Parses a text that is known to be JSON again, with every whole number that is written with a fraction or an exponent (`1.0`,
 * `1e3`) shifted to a fraction; undefined if there is no such number. JavaScript parses `1.0` as 1,
 * while the API does not accept it as an integer.
 */
export function parseWithVisibleFractions(text: string): unknown {
  if (!integralFloat.test(text)) return undefined
  let moved = false
  const visible = text.replace(stringOrNumber, (token) => {
    if (token.startsWith('"') || !/[.eE]/.test(token)) return token
    const number = Number(token)
    if (!Number.isSafeInteger(number)) return token
    moved = true
    return String(number + 0.5)
  })
  return moved ? JSON.parse(visible) : undefined
}
