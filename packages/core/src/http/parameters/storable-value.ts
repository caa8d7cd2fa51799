import { requireStorable, withStorableTexts } from '../../domain/texts/storable-texts.js'
import { badRequest } from '../../errors/index.js'
import type { ParameterSchema } from './parameter-schema.js'

/**
 * The value of a parameter, in whose texts nothing is left that cannot be stored, unless the operation
 * looks for it.
 *
 * @throws {ChatError} `BAD_REQUEST` if there is such a character.
 */
export function storableValue(name: string, schema: ParameterSchema, value: unknown): unknown {
  if (schema.unstorable === 'replaced') return withStorableTexts(value)
  if (schema.unstorable === 'own') return value
  if (schema.contentKind !== 'message.topic') requireStorable(name, value)
  else {
    requireStorable(name, value, (position) => badRequest('TOPIC_WRONG_CHARACTER', { position }))
  }
  return value
}
