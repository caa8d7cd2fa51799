import { users } from './users-table.js'

/** Of addresses of pictures, in characters. */
export const maxPictureUrlLength = users.columns.application_avatar_url.maxLength

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a picture of the application can have this address: with https, or on this machine with
 * http, or a path on the server of the chat.
 */
export function isPictureUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > maxPictureUrlLength) return false
  // Sent in a header, so only printable characters; browsers read a backslash as a slash.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(value)) return false
  if (value.startsWith('/')) return !value.startsWith('//')
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}
