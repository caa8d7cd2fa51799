import { limits } from '../../../domain/limits.js'
import { codePointLength } from '../../../domain/texts/folding.js'
import { invalidCharacterPosition } from '../../../domain/texts/invalid-characters.js'
import { badRequest } from '../../../errors/index.js'

/**
 * @returns the name as it is stored.
 * @throws {ChatError} `BAD_REQUEST` if it is not a valid name of a channel.
 */
export function normalizeChannelName(text: string): string {
  const name = text.trim()
  if (name === '') throw badRequest('CHANNEL_NAME_EMPTY')
  if (codePointLength(name) > limits.maxChannelNameLength) {
    throw badRequest('CHANNEL_NAME_TOO_LONG', { limit: limits.maxChannelNameLength })
  }
  const position = invalidCharacterPosition(name)
  if (position !== undefined) {
    throw badRequest('CHANNEL_NAME_WRONG_CHARACTER', { position })
  }
  return name
}

/**
 * @returns the description as it is stored: one line.
 * @throws {ChatError} `BAD_REQUEST` if it is too long.
 */
export function normalizeChannelDescription(text: string): string {
  const description = text.replaceAll('\n', ' ').trim()
  if (codePointLength(description) > limits.maxChannelDescriptionLength) {
    throw badRequest('CHANNEL_DESCRIPTION_TOO_LONG', { limit: limits.maxChannelDescriptionLength })
  }
  return description
}
