import type { Session } from '../session/session.js'
import { texts } from '../texts.js'

/** Says by how much a text is too long for a message; '' if it is not. */
export function lengthProblem(text: string, session: Session | undefined): string {
  const max = session?.state.organization.max_message_length ?? 10_000
  if (text.length <= max) return ''
  // The server counts code points.
  const surplus = [...text.trim()].length - max
  return surplus > 0 ? texts.tooLong(surplus, max) : ''
}
