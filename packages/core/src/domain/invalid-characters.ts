import { codePointLength } from './folding.js'

/** Control characters, lone surrogates and the 66 code points that are no characters. */
const invalid = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u

/**
 * Where a name, topic or address has the first character that none may have.
 *
 * @returns the position in code points, from 1; undefined if there is none.
 */
export function invalidCharacterPosition(text: string): number | undefined {
  const match = invalid.exec(text)
  return match === null ? undefined : codePointLength(text.slice(0, match.index)) + 1
}
