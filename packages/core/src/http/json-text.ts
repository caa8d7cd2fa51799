/** How deeply lists and objects of a parameter may be nested. No parameter of the API needs 10. */
const maxDepth = 100

/** In characters; parsing more would keep the process from others for too long. */
export const maxJsonLength = 2 * 1024 * 1024

/** How many items a list may have by default. SQLite takes 32,766 values in a statement. */
export const defaultMaxItems = 20_000

const integralFloat = /\d\.|\d[eE]/
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Thrown where a text is not JSON that a parameter may be; the message goes on from its name. */
export class InvalidJsonError extends Error {
  constructor(message = 'is not valid JSON', options?: ErrorOptions) {
    super(message, options)
  }
}

/**
 * @param maxItems how many items a list may have.
 * @throws {InvalidJsonError} if `text` is not JSON, or JSON that is unfit for a parameter.
 */
export function parseJsonText(text: string, maxItems = defaultMaxItems): unknown {
  if (text.length > maxJsonLength) {
    throw new InvalidJsonError(`is too long (limit: ${maxJsonLength} characters)`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidJsonError(undefined, { cause: error })
  }
  checkJsonLimits(value, maxItems)
  return value
}

/**
 * Refuses values that are nested so deeply that code behind us would run out of stack, lists that
 * are longer than any database takes, and keys that would reach a prototype when someone copies the
 * object with an assignment.
 *
 * @throws {InvalidJsonError}
 */
export function checkJsonLimits(value: unknown, maxItems = defaultMaxItems, depth = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === maxDepth) throw new InvalidJsonError()
  if (Array.isArray(value)) {
    if (value.length > maxItems) {
      throw new InvalidJsonError(`is too long (limit: ${maxItems} items)`)
    }
    for (const item of value) checkJsonLimits(item, maxItems, depth + 1)
    return
  }
  if (Object.hasOwn(value, '__proto__')) throw new InvalidJsonError()
  for (const item of Object.values(value)) checkJsonLimits(item, maxItems, depth + 1)
}

/**
 * The same value with every whole number that is written with a fraction or an exponent (`1.0`,
 * `1e3`) moved off the whole number, or undefined if there is none. JavaScript reads `1.0` as 1,
 * while the contract does not take it for an integer.
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
