import { isEmailAddress } from '../domain/users/email-address.js'
import { propertiesOf } from '../kernel/objects.js'

/**
 * Returns the problem with an option's value, as text after the option's name; undefined if valid.
 */
export type Check = (value: unknown) => string | undefined

export const flag: Check = (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false'
export const call: Check = (value) =>
  typeof value === 'function' ? undefined : 'must be a function'
export const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value) ? undefined : `must be one of ${allowed.map(String).join(', ')}`
export const number =
  (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    typeof value === 'number' && value >= minimum && value <= maximum
      ? undefined
      : `must be a number from ${minimum} to ${maximum}`
export const object =
  (...methods: readonly string[]): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    methods.every((method) => typeof propertiesOf(value)[method] === 'function')
      ? undefined
      : `must be an object with ${methods.join(', ')}`

export const isSecret = (value: unknown): boolean => typeof value === 'string' && value.length >= 32
export const listOf =
  (isItem: (item: unknown) => boolean, items: string): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem) ? undefined : `must be a list of ${items}`

/**
 * Browsers send origins in lower case without a trailing slash; any other spelling never matches.
 */
export function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z0-9+.-]*:\/\/[^/?#\sA-Z]+$/.test(value)
}

/** Whether it is valid as `baseUrl`. */
export function isBaseUrl(value: unknown): value is string {
  return typeof value === 'string' && /^[^/]+:\/\/[^/\\?#@\s]+$/.test(value) && URL.canParse(value)
}

/** The form that {@link isBaseUrl} accepts, for messages. */
export const baseUrlForm = 'scheme and host, such as https://chat.example, without a path or slash'

/** Whether it is a path on the application's own origin, or a URL. */
export function isPageAddress(text: unknown): boolean {
  return typeof text === 'string' && (/^\/(?!\/)/.test(text) || /^https?:\/\//.test(text))
}

export const emailDomain: Check = (value) =>
  typeof value === 'string' && isEmailAddress(`bot@${value}`)
    ? undefined
    : 'must be a domain of e-mail addresses'
