import { randomBytes, randomInt } from 'node:crypto'

const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An unguessable URL-safe string of `byteCount` random bytes (6 bits per character). */
export function randomToken(byteCount: number): string {
  return randomBytes(byteCount).toString('base64url')
}

/** An unguessable string of ASCII letters and digits, each equally likely. */
export function randomAlphanumeric(length: number): string {
  let text = ''
  for (let index = 0; index < length; index += 1) {
    text += alphanumerics[randomInt(alphanumerics.length)]
  }
  return text
}
