import { codePointLength } from './folding.js'

/** Control characters, lone surrogates and the 66 noncharacters. */
const invalid = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u
const unstorable = /[\0\p{Cs}]/u

/**
 * Finds the first character that is invalid in every name, topic or address.
 *
 * @returns the position in code points, from 1; undefined if all characters are valid.
 */
export function invalidCharacterPosition(text: string): number | undefined {
  return positionOf(invalid, text)
}

/**
 * Finds the first character that no text may have: PostgreSQL does not store U+0000, and no database
 * stores an unpaired surrogate.
 *
 * @returns the position, as {@link invalidCharacterPosition}.
 */
export function unstorableCharacterPosition(text: string): number | undefined {
  return positionOf(unstorable, text)
}

/** Replaces those characters by U+FFFD, in texts that another program has written. */
export function toStorable(text: string): string {
  return unstorable.test(text) ? text.replaceAll(new RegExp(unstorable, 'gu'), '\uFFFD') : text
}

function positionOf(character: RegExp, text: string): number | undefined {
  const match = character.exec(text)
  return match === null ? undefined : codePointLength(text.slice(0, match.index)) + 1
}

export function withoutInvalidCharacters(text: string): string {
  return text.replaceAll(new RegExp(invalid, 'gu'), '')
}
