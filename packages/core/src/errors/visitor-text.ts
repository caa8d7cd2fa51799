import { namedText, type TextWriter } from '../texts/index.js'
import type { ChatError } from './chat-error.js'

/** The text of an error for people who see no chat; those of some errors are for programs. */
export function visitorText({ kind, text, message }: ChatError, { write }: TextWriter): string {
  switch (kind) {
    case 'RATE_LIMIT_HIT':
      return write(namedText('PAGE_TOO_MANY_ATTEMPTS'))
    case 'INTERNAL_SERVER_ERROR':
    case 'SERVICE_UNAVAILABLE':
      return write(namedText('PAGE_FAILED'))
    default:
      return text === undefined ? message : write(text)
  }
}
