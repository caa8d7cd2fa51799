import { badRequest } from '../../errors/index.js'
import { limits } from '../limits.js'
import { codePointLength, takeCodePoints } from '../texts/folding.js'
import { unstorableCharacterPosition } from '../texts/invalid-characters.js'

const truncationNotice = '\n[message truncated]'

/**
 * Normalizes the content of a message for storage: removes trailing white space and leading
 * newlines, and truncates long content with a notice.
 *
 * @throws {ChatError} `BAD_REQUEST` if nothing is left, or if it contains what cannot be stored.
 */
export function normalizeContent(text: string): string {
  const content = text.trimEnd().replace(/^[\r\n]+/, '')
  if (content.trim() === '') throw badRequest('MESSAGE_EMPTY')
  return cutContent(content)
}

/**
 * Truncates long content with a notice; other content is returned unchanged.
 *
 * @throws {ChatError} `BAD_REQUEST` if it contains what cannot be stored.
 */
export function cutContent(content: string, maxLength: number = limits.maxMessageLength): string {
  if (content.includes('\0')) throw badRequest('MESSAGE_WITH_NULL_BYTES')
  const position = unstorableCharacterPosition(content)
  if (position !== undefined) {
    throw badRequest('PARAMETER_WRONG_CHARACTER', { parameter: 'content', position })
  }
  if (codePointLength(content) <= maxLength) return content
  return takeCodePoints(content, maxLength - truncationNotice.length) + truncationNotice
}

/** Whether a message is a `/me` message. */
export function isMeMessage(content: string): boolean {
  return content.startsWith('/me ')
}
