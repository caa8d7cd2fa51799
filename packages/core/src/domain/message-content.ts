import { badRequest } from '../errors/index.js'
import { codePointLength, takeCodePoints } from './folding.js'
import { limits } from './limits.js'

const truncationNotice = '\n[message truncated]'

/**
 * The content of a message as it is stored: trailing white space and leading newlines removed, and
 * cut with a notice where it is too long.
 *
 * @throws {ChatError} `BAD_REQUEST` if nothing is left, or it contains a NUL.
 */
export function normalizeContent(text: string): string {
  const content = text.trimEnd().replace(/^[\r\n]+/, '')
  if (content.trim() === '') throw badRequest('Message must not be empty')
  return cutContent(content)
}

/**
 * A content that is cut with a notice where it is too long, and otherwise as it is.
 *
 * @throws {ChatError} `BAD_REQUEST` if it contains a NUL.
 */
export function cutContent(content: string): string {
  if (content.includes('\0')) throw badRequest('Message must not contain null bytes')
  if (codePointLength(content) <= limits.maxMessageLength) return content
  return (
    takeCodePoints(content, limits.maxMessageLength - truncationNotice.length) + truncationNotice
  )
}

/** Whether a message says what its sender does. */
export function isMeMessage(content: string): boolean {
  return content.startsWith('/me ')
}
