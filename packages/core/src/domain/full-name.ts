import { badRequest } from '../errors/index.js'
import { codePointLength } from './folding.js'
import { limits } from './limits.js'

const minLength = 2
/** Control, format, private and unassigned characters, and what mentions are made of. */
const invalid = /[\p{C}*`\\>"@]/u

/**
 * The name of a user or bot as it is stored: without white space around it.
 *
 * @throws {ChatError} `BAD_REQUEST` if it cannot be a name.
 */
export function normalizeFullName(text: string): string {
  const name = text.trim()
  if (codePointLength(name) > limits.maxFullNameLength) throw badRequest('Name too long!')
  if (codePointLength(name) < minLength) throw badRequest('Name too short!')
  if (invalid.test(name)) throw badRequest('Invalid characters in name!')
  // `name|7` is how a mention tells users of one name apart.
  if (/\|\d+$/.test(text)) throw badRequest('Invalid format!')
  return name
}

/**
 * A name without the characters that are not shown or change the direction of the text: another
 * system's name of a user, which is not refused for them.
 */
export function withoutInvisible(name: string): string {
  return name.replaceAll(/\p{C}/gu, '')
}

/** The names under which an equal one may be stored. */
export function equalNameForms(name: string): readonly string[] {
  return [...new Set([name, name.normalize('NFKC')])]
}
