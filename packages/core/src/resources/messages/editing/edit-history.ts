/**
 * Maximum size of the edit history that is kept for a message, in bytes of its JSON. Message
 * objects include the history, so this bounds what one message adds to a response.
 */
export const maxEditHistoryBytes = 256 * 1024

/**
 * Above this many bytes, moves are no longer added to the history of a message. One statement
 * writes a move for many messages and cannot shorten a history; the next edit of the content does.
 */
export const maxMovedHistoryBytes = 320 * 1024

/**
 * Adds a change to the history of a message.
 *
 * If the history grows beyond {@link maxEditHistoryBytes}, changes between the newest and the
 * oldest are dropped, older ones first. The oldest is kept: it has the message as it was sent.
 *
 * @param json the stored history, newest change first; null if the message never changed.
 */
export function addToEditHistory(json: string | null, item: object): string {
  const older = json === null ? [] : (JSON.parse(json) as object[])
  const items = [item, ...older].map((change) => JSON.stringify(change))
  const oldest = items.length > 1 ? items.pop() : undefined
  let bytes = 2 + Buffer.byteLength(oldest ?? '')
  const kept: string[] = []
  for (const text of items) {
    bytes += Buffer.byteLength(text) + 1
    // The new change is always kept.
    if (kept.length > 0 && bytes > maxEditHistoryBytes) break
    kept.push(text)
  }
  if (oldest !== undefined) kept.push(oldest)
  return `[${kept.join(',')}]`
}
