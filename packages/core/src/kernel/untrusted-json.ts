/** Maximum nesting depth of arrays and objects. No parameter of the API needs 10. */
export const maxJsonDepth = 100

/** Maximum number of values and containers in a text; the longest list of an operation has 100,000. */
const maxValues = 120_000

/** Maximum number of the members of all objects: each costs some 20 times as much as an item. */
const maxMembers = 20_000

/** Thrown for JSON that would take too long to parse. */
export class JsonTooLargeError extends SyntaxError {
  override readonly name = 'JsonTooLargeError'

  /** @param limit the exceeded number of values or members; undefined if the depth is exceeded. */
  constructor(readonly limit?: number) {
    super(limit === undefined ? 'JSON is nested too deeply' : `JSON has more than ${limit} values`)
  }
}

/**
 * Parses text that someone else has written: a client or another server. Parsing cannot be
 * interrupted, and takes 0.3 s for 2 MB of brackets, so these are counted first.
 *
 * @throws {JsonTooLargeError} if there are too many levels, values or members.
 * @throws {SyntaxError} if `text` is not JSON.
 */
export function parseUntrustedJson(text: string): unknown {
  requireModestJson(text)
  return JSON.parse(text)
}

/** Counts levels, values and members outside strings. The counts of invalid JSON mean nothing. */
function requireModestJson(text: string): void {
  let depth = 0
  let values = 0
  let members = 0
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index)
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        values += 1
        if (depth > maxJsonDepth) throw new JsonTooLargeError()
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case 0x2c: // ,
        values += 1
        break
      case 0x3a: // :
        members += 1
        if (members > maxMembers) throw new JsonTooLargeError(maxMembers)
        break
      default:
    }
    if (values > maxValues) throw new JsonTooLargeError(maxValues)
  }
}

/** The index of the quotation mark that ends the string at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === 0x22) return index
    // After a backslash, the next character does not end the string.
    index += code === 0x5c ? 2 : 1
  }
  return index
}
