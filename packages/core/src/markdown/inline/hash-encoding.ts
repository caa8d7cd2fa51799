const encoder = new TextEncoder()
const allUnreserved = /^[A-Za-z0-9_~-]*$/
const unreserved = /^[A-Za-z0-9_~-]$/

/**
 * Encodes `text` for the fragment of a URL: UTF-8 percent-encoding of everything but letters,
 * digits, `_`, `-` and `~`, with `.` in place of `%`. Clients decode `.XX`.
 */
export function encodeForHash(text: string): string {
  if (allUnreserved.test(text)) return text
  let encoded = ''
  for (const byte of encoder.encode(text)) {
    const character = String.fromCharCode(byte)
    encoded += unreserved.test(character)
      ? character
      : `.${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}
