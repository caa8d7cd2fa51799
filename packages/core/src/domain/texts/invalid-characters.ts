import { codePointLength } from './folding.js'

/** Control characters, lone surrogates and the 66 noncharacters. */
const invalid = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u

/**
 * Finds the first character that is invalid in every name, topic or address.
 *
 * @returns the position in code points, from 1; undefined if all characters are valid.
 */
export function invalidCharacterPosition(text: string): number | undefined {
  const match = invalid.exec(text)
  return match === null ? undefined : codePointLength(text.slice(0, match.index)) + 1
}

export function withoutInvalidCharacters(text: string): string {
  return text.replaceAll(new RegExp(invalid, 'gu'), '')
}
