import { codePointLength } from '../../domain/folding.js'
import { badRequest } from '../../errors/index.js'

const maxLength = 100

/** What a name may not start with, because it would read as another kind of mention. */
const reservedPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const

/**
 * A group's name as it is stored.
 *
 * @throws {ChatError} `BAD_REQUEST` if no group may be called so.
 */
export function requireGroupName(text: string): string {
  const name = text.trim()
  if (name === '') throw badRequest("User group name can't be empty!")
  if (codePointLength(name) > maxLength) {
    throw badRequest(`User group name cannot exceed ${maxLength} characters.`)
  }
  const prefix = reservedPrefixes.find((reserved) => name.startsWith(reserved))
  if (prefix !== undefined) throw badRequest(`User group name cannot start with '${prefix}'.`)
  return name
}
