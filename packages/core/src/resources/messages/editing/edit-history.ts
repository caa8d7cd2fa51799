import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import { parseJson, toJson, type Json } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'

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
export function addToEditHistory(
  json: MessageRow['edit_history'],
  item: EditHistoryItem,
): Json<readonly EditHistoryItem[]> {
  const items = [item, ...(json === null ? [] : parseJson(json))]
  const oldest = items.length > 1 ? items.pop() : undefined
  let bytes = 2 + (oldest === undefined ? 0 : bytesOf(oldest))
  const kept: EditHistoryItem[] = []
  for (const change of items) {
    bytes += bytesOf(change) + 1
    // The new change is always kept.
    if (kept.length > 0 && bytes > maxEditHistoryBytes) break
    kept.push(change)
  }
  if (oldest !== undefined) kept.push(oldest)
  return toJson(kept)
}

function bytesOf(item: EditHistoryItem): number {
  return Buffer.byteLength(JSON.stringify(item))
}
