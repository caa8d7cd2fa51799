import { badRequest } from '../../errors/index.js'
import { limits } from '../limits.js'
import { codePointLength } from '../texts/folding.js'

const minLength = 2
/**
 * Control, format, private-use and unassigned characters, and the characters of the mention syntax.
 */
const invalid = /[\p{C}*`\\>"@]/u

/**
 * Normalizes the name of a user or bot for storage: surrounding white space is removed.
 *
 * @throws {ChatError} `BAD_REQUEST` if the name is invalid.
 */
export function normalizeFullName(text: string): string {
  const name = text.trim()
  if (codePointLength(name) > limits.maxFullNameLength) throw badRequest('USER_NAME_TOO_LONG')
  if (codePointLength(name) < minLength) throw badRequest('USER_NAME_TOO_SHORT')
  if (invalid.test(name)) throw badRequest('USER_NAME_WRONG_CHARACTERS')
  // `name|7` is the mention syntax for users with the same name.
  if (/\|\d+$/.test(text)) throw badRequest('USER_NAME_WRONG_FORMAT')
  return name
}

/**
 * Removes the characters that are invisible or change the direction of the text. Used for names
 * from other systems, which are not rejected for them.
 */
export function withoutInvisible(name: string): string {
  return name.replaceAll(/\p{C}/gu, '')
}

/** Possible stored forms of a name that count as equal to it. */
export function equalNameForms(name: string): readonly string[] {
  return [...new Set([name, name.normalize('NFKC')])]
}
