import { badRequest } from '../../../errors/index.js'
import { limits } from '../../../domain/limits.js'

/** Larger than every message id, and exact as a double. */
export const newestAnchor = 10_000_000_000_000_000

/** Where a range of messages is anchored; `first_unread` must be looked up. */
export type Anchor = number | 'first_unread'

/** A range around an anchor. */
export interface MessageRange {
  readonly anchor: number
  readonly includesAnchor: boolean
  readonly before: number
  readonly after: number
}

/** @throws {ChatError} `BAD_REQUEST` if the text is not an anchor. */
export function parseAnchor(text: string): Anchor {
  if (text === 'newest') return newestAnchor
  if (text === 'oldest') return 0
  if (text === 'first_unread') return text
  if (!/^[+-]?\d+$/.test(text.trim())) throw badRequest('ANCHOR_INVALID')
  return Math.min(Math.max(Number(text), 0), newestAnchor)
}

/** @throws {ChatError} `BAD_REQUEST` if the range would leave out its anchor. */
export function requireContiguous(range: Omit<MessageRange, 'anchor'>): void {
  if (!range.includesAnchor && range.before > 0 && range.after > 0) {
    throw badRequest('ANCHOR_EXCLUDED_INSIDE')
  }
}

/** Limits a range to the messages that one request may change. */
export function clampRange(before: number, after: number): { before: number; after: number } {
  const most = limits.maxMessagesPerFetch
  const fewer = Math.min(before, Math.max(most - after, most / 2))
  return { before: fewer, after: Math.min(after, most - fewer) }
}

/**
 * Describes whether a range reached the ends of its history.
 *
 * @param ids the messages that are returned.
 * @param omittedIds those that are in the range too, but are not returned.
 */
export function describeRange(
  ids: readonly number[],
  range: MessageRange,
  omittedIds: readonly number[] = [],
): { foundAnchor: boolean; foundOldest: boolean; foundNewest: boolean } {
  const { anchor } = range
  const isNewest = anchor >= newestAnchor
  const omitsOlder = omittedIds.some((id) => id < anchor)
  const omitsNewer = omittedIds.some((id) => id > anchor)
  const older = ids.filter((id) => id < anchor).length
  const newer = ids.filter((id) => id > anchor).length
  return {
    foundAnchor: !isNewest && ids.includes(anchor),
    foundOldest: !omitsOlder && (anchor === 0 || older < range.before),
    foundNewest: !omitsNewer && (isNewest || newer < range.after),
  }
}
