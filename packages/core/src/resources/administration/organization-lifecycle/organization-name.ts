import { badRequest } from '../../../errors/index.js'
import { limits } from '../../../domain/limits.js'

/**
 * @returns the name without surrounding white space.
 * @throws {ChatError} `BAD_REQUEST` unless it has 1 to 40 characters.
 */
export function requireOrganizationName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > limits.maxOrganizationNameLength) {
    throw badRequest('ORGANIZATION_NAME_WRONG_LENGTH')
  }
  return name
}
