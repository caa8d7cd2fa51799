import { badRequest } from '../../../errors/index.js'

const maxNameLength = 40

/**
 * @returns the name without surrounding white space.
 * @throws {ChatError} `BAD_REQUEST` unless it has 1 to 40 characters.
 */
export function requireOrganizationName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > maxNameLength) {
    throw badRequest('ORGANIZATION_NAME_WRONG_LENGTH')
  }
  return name
}
