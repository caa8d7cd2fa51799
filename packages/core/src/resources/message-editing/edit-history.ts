/**
 * Longest history of changes that is kept of a message, in bytes of its JSON. Every message object
 * holds its history, so this bounds what one message adds to an answer.
 */
export const maxEditHistoryBytes = 256 * 1024

/**
 * Above this many bytes a move is no longer added to a message's history. Moves are written for many
 * messages with one statement, which cannot shorten a history; the next edit of the text does.
 */
export const maxMovedHistoryBytes = 320 * 1024

/**
 * Adds a change to a message's history.
 *
 * Where the history grows beyond {@link maxEditHistoryBytes}, changes between the newest and the
 * oldest are dropped, the older ones first. The oldest stays: it has the message as it was sent.
 *
 * @param json the stored history, newest change first; null if there is none.
 */
export function addToEditHistory(json: string | null, item: object): string {
  const older = json === null ? [] : (JSON.parse(json) as object[])
  const items = [item, ...older].map((change) => JSON.stringify(change))
  const oldest = items.length > 1 ? items.pop() : undefined
  let bytes = 2 + Buffer.byteLength(oldest ?? '')
  const kept: string[] = []
  for (const text of items) {
    bytes += Buffer.byteLength(text) + 1
    // The change that is being made is always kept.
    if (kept.length > 0 && bytes > maxEditHistoryBytes) break
    kept.push(text)
  }
  if (oldest !== undefined) kept.push(oldest)
  return `[${kept.join(',')}]`
}
