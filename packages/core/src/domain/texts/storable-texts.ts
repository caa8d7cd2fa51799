import { badRequest, type ChatError } from '../../errors/index.js'
import { toStorable, unstorableCharacterPosition } from './invalid-characters.js'

/**
 * Refuses a value with a text, or a key, that cannot be stored.
 *
 * @param place the parameter, or a part of it, for the error.
 * @param errorAt makes the error about a value that is a text, whose character has this position.
 * @throws {ChatError} `BAD_REQUEST`
 */
export function requireStorable(
  place: string,
  value: unknown,
  errorAt = (position: number): ChatError =>
    badRequest('PARAMETER_WRONG_CHARACTER', { parameter: place, position }),
): void {
  if (typeof value === 'string') {
    const position = unstorableCharacterPosition(value)
    if (position === undefined) return
    throw errorAt(position)
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (typeof item !== 'number') requireStorable(`${place}[${index}]`, item)
    }
    return
  }
  for (const [key, item] of Object.entries(value)) {
    requireStorable(place, key)
    requireStorable(`${place}["${key}"]`, item)
  }
}

/** The value, in whose texts and keys U+FFFD is in the place of what cannot be stored. */
export function withStorableTexts(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withStorableTexts)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorable(key), withStorableTexts(item)]),
  )
}
