import type { Term } from '../place.js'
import type { Session } from '../session/session.js'

/** What a user searches for. */
export interface Search {
  readonly terms: readonly Term[]
  /** Why it cannot be searched for. */
  readonly problem: string | undefined
}

/** What reads the words of a user; it is loaded after the first view. */
export const searchReader: {
  read: ((query: string, session: Session) => Search) | undefined
} = { read: undefined }

/** The message that a search begins with, by `near:`. */
export function searchNear(query: string): number | undefined {
  const number = Number(/(?:^|\s)near:"?(\d{1,15})(?!\d)/i.exec(query)?.[1])
  return number > 0 ? number : undefined
}
