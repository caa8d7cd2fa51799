import type { Term } from '../place.js'
import type { Session } from '../session/session.js'

/** The terms that a user searches for. */
export interface Search {
  readonly terms: readonly Term[]
  /** Why it cannot be searched for. */
  readonly problem: string | undefined
}

/** The function that reads the words of a user; it is loaded after the first view. */
export const searchReader: {
  read: ((query: string, session: Session) => Search) | undefined
} = { read: undefined }

/** The message that a search begins with, by `near:` that is not in quotes. */
export function searchNear(query: string): number | undefined {
  const words = query.matchAll(/near:"?(\d{1,15})(?!\d)|[a-z-]*:?"[^"]*"|\S+/gi)
  const number = Number([...words].find(([, id]) => id !== undefined)?.[1])
  return number > 0 ? number : undefined
}
