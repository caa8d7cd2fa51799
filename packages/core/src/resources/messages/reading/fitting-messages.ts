import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { maxFetchedBytes } from '../narrows/index.js'

/** JSON writes a character in at most this many bytes, as `\u0000`. */
const maxCharacterBytes = 6
/** Of a number, of `null`, or of a name with its quotes and colon: names are fields of this API. */
const maxShortBytes = 100

/**
 * The messages that fit into one answer, as JSON with everything that belongs to them: at least one,
 * then as many as fit, nearest to the anchor first.
 *
 * @param messages ascending by id.
 * @returns those that fit, ascending by id.
 */
export async function fittingMessages<Item extends { readonly id: number }>(
  messages: readonly Item[],
  anchor: number,
): Promise<Item[]> {
  // Serializing all messages a second time to measure them would cost more than their statements.
  if (greatestSize(messages) <= maxFetchedBytes) return [...messages]
  const yielder = new EventLoopYielder()
  // The `newest` anchor exceeds the precision of a double: distances from it would be rounded.
  const from = Math.min(anchor, Number.MAX_SAFE_INTEGER)
  const distance = ({ id }: Item): number => Math.abs(id - from)
  const nearestFirst = messages.toSorted((a, b) => distance(a) - distance(b) || a.id - b.id)
  let bytes = 0
  for (const [index, message] of nearestFirst.entries()) {
    if (yielder.isDue) await yielder.yield()
    bytes += Buffer.byteLength(JSON.stringify(message)) + 1
    if (bytes > maxFetchedBytes && index > 0) {
      return nearestFirst.slice(0, index).sort((a, b) => a.id - b.id)
    }
  }
  return [...messages]
}

/** Never less than the bytes of a value as JSON. */
export function greatestSize(value: unknown): number {
  if (typeof value === 'string') return maxCharacterBytes * value.length + maxShortBytes
  if (typeof value !== 'object' || value === null) return maxShortBytes
  let bytes = maxShortBytes
  for (const part of Object.values(value)) bytes += maxShortBytes + greatestSize(part)
  return bytes
}
