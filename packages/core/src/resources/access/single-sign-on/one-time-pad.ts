/** 32 bytes, as hexadecimal digits. */
const padPattern = /^[0-9a-fA-F]{64}$/

/** Whether a text is a one-time pad for an API key. */
export function isPad(text: string): boolean {
  return padPattern.test(text)
}

/**
 * Encrypts an API key with a one-time pad, so that only the client that created the pad can read
 * it. Decryption is the same operation.
 *
 * @param apiKey 32 ASCII characters.
 * @param pad 64 hexadecimal digits, used once.
 * @returns 64 lower-case hexadecimal digits.
 */
export function encryptWithPad(apiKey: string, pad: string): string {
  const key = Buffer.from(apiKey, 'ascii')
  const bytes = Buffer.from(pad, 'hex')
  return Buffer.from(key.map((byte, index) => byte ^ (bytes[index] ?? 0))).toString('hex')
}
