import { limits } from '../../../domain/limits.js'
import { takeCodePoints } from '../../../domain/texts/folding.js'
import { Role } from '../../../domain/users/actor.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { withoutInvisible } from '../../../domain/users/full-name.js'
import { propertiesOf } from '../../../kernel/objects.js'
import { users } from './users-table.js'

/** Of addresses of pictures, in characters. */
const maxPictureUrlLength = users.columns.application_avatar_url.maxLength

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a picture of the application can have this address: with https, or on this machine with
 * http, or a path on the server of the chat.
 */
function isPictureUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > maxPictureUrlLength) return false
  // Sent in a header, so only printable characters; browsers read a backslash as a slash.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(value)) return false
  if (value.startsWith('/')) return !value.startsWith('//')
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}

export const maxExternalIdLength = users.columns.external_id.maxLength

/** A user as the application's own login describes them. */
export interface ExternalIdentity {
  /** The application's id of the user; at most 190 characters. */
  readonly externalId: string
  readonly email: string
  readonly fullName: string
  readonly role?: Role
  /** Where the application has the user's picture; null for none. */
  readonly avatarUrl?: string | null
}

/**
 * The application's id of a user as text; many applications use numbers.
 *
 * @returns undefined if the value is not a valid id.
 */
export function externalIdOf(value: unknown): string | undefined {
  if (Number.isSafeInteger(value) || typeof value === 'bigint') return String(value)
  const isUsable = typeof value === 'string' && value !== '' && value.length <= maxExternalIdLength
  return isUsable ? value : undefined
}

/** Whether a reference to a user is an identity, even an incomplete one, and not only an id. */
export function isIdentity<Reference>(
  reference: Reference,
): reference is Extract<Reference, { readonly email: string }> {
  const fields = propertiesOf(reference)
  return ['email', 'fullName', 'role'].some((field) => field in fields)
}

/**
 * Validates a value that the application has returned, which may not be type-checked. The error
 * message contains every invalid field and the type of its value, but no values, because it is
 * logged.
 *
 * @param source the function that returned it, for the message: `identify`.
 * @throws {TypeError} if the value is not a valid user.
 */
export function requireIdentity(returned: unknown, source: string): ExternalIdentity {
  if (typeof returned !== 'object' || returned === null) {
    throw new TypeError(
      `${source}: must be an object with externalId, email and fullName, not ${typeOf(returned)}`,
    )
  }
  const {
    externalId,
    email,
    fullName,
    role,
    avatarUrl,
    organization,
    via,
  }: Partial<Record<string, unknown>> = {
    ...returned,
  }
  const id = externalIdOf(externalId)
  const name = typeof fullName === 'string' ? withoutInvisible(fullName).trim() : ''
  const problems: string[] = []
  const check = (isRight: boolean, field: string, expected: string, value: unknown): void => {
    if (isRight) return
    problems.push(
      value === undefined || value === null
        ? `${field} is missing`
        : `${field} must be ${expected}, not ${typeOf(value)}`,
    )
  }
  check(
    id !== undefined,
    'externalId',
    `an integer or a string of 1 to ${maxExternalIdLength} characters`,
    externalId,
  )
  check(isAddress(email), 'email', 'an e-mail address', email)
  check(name !== '', 'fullName', 'a string that is not blank', fullName)
  check(
    role === undefined || isRole(role),
    'role',
    '100 (owner), 200 (administrator), 300 (moderator), 400 (member) or 600 (guest)',
    role,
  )
  check(
    avatarUrl === undefined || avatarUrl === null || isPictureUrl(avatarUrl),
    'avatarUrl',
    `an https address or a path, of at most ${maxPictureUrlLength} characters`,
    avatarUrl,
  )
  check(
    organization === undefined || typeof organization === 'string',
    'organization',
    'a string',
    organization,
  )
  check(via === undefined || via === 'cookie' || via === 'token', 'via', "'cookie' or 'token'", via)
  if (problems.length > 0 || id === undefined || !isAddress(email)) {
    throw new TypeError(`${source}: ${problems.join('; ')}`)
  }
  return {
    externalId: id,
    email,
    fullName: takeCodePoints(name, limits.maxFullNameLength),
    ...(isRole(role) ? { role } : {}),
    ...(avatarUrl === null || isPictureUrl(avatarUrl) ? { avatarUrl } : {}),
  }
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && isEmailAddress(value)
}

function isRole(value: unknown): value is Role {
  return Object.values<unknown>(Role).includes(value)
}

/** The type of a value, for messages that must not contain the value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === '') return 'an empty string'
  if (typeof value === 'string' || typeof value === 'number') return `another ${typeof value}`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
