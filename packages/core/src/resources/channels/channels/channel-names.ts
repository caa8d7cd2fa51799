import { codePointLength } from '../../../domain/folding.js'
import { invalidCharacterPosition } from '../../../domain/invalid-characters.js'
import { limits } from '../../../domain/limits.js'
import { badRequest } from '../../../errors/index.js'

/**
 * @returns the name as it is stored.
 * @throws {ChatError} `BAD_REQUEST` if it is not a valid name of a channel.
 */
export function normalizeChannelName(text: string): string {
  const name = text.trim()
  if (name === '') throw badRequest("Channel name can't be empty.")
  if (codePointLength(name) > limits.maxChannelNameLength) {
    throw badRequest(`Channel name too long (limit: ${limits.maxChannelNameLength} characters).`)
  }
  const position = invalidCharacterPosition(name)
  if (position !== undefined) {
    throw badRequest(`Invalid character in channel name, at position ${position}.`)
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
    throw badRequest(
      `description is too long (limit: ${limits.maxChannelDescriptionLength} characters)`,
    )
  }
  return description
}
