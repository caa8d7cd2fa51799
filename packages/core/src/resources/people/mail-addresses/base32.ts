/** RFC 4648 in lower case: mail servers may change the case of a local part. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Encodes bytes in base 32, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0]
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((value >>> bits) & 31)
    }
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet.charAt((value << (5 - bits)) & 31)
}

/** The bytes of a text in base 32; undefined if it is not what {@link toBase32} returns. */
export function fromBase32(text: string): Buffer | undefined {
  const bytes: number[] = []
  let [value, bits] = [0, 0]
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) return undefined
    value = (value << 5) | digit
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(value >>> bits)
    value &= (1 << bits) - 1
  }
  const decoded = Buffer.from(bytes)
  return toBase32(decoded) === text ? decoded : undefined
}
