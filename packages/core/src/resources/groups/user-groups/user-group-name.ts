import { codePointLength } from '../../../domain/texts/folding.js'
import { badRequest } from '../../../errors/index.js'
import { limits } from '../../../domain/limits.js'

/** Prefixes that a name may not have, because it would look like another kind of mention. */
const reservedPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const

/**
 * The form in which a group's name is stored.
 *
 * @throws {ChatError} `BAD_REQUEST` if the name is not allowed.
 */
export function requireGroupName(text: string): string {
  const name = text.trim()
  if (name === '') throw badRequest('USER_GROUP_NAME_EMPTY')
  if (codePointLength(name) > limits.maxGroupNameLength) {
    throw badRequest('USER_GROUP_NAME_TOO_LONG', { limit: limits.maxGroupNameLength })
  }
  const prefix = reservedPrefixes.find((reserved) => name.startsWith(reserved))
  if (prefix !== undefined) throw badRequest('USER_GROUP_NAME_WRONG_START', { prefix })
  return name
}
