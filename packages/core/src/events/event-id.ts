/**
 * Ids of events as clients see them: `seq × 1024 + n`.
 *
 * `seq` is the entry's sequence number in the organization's log; `n` distinguishes the events that
 * one entry yields for a queue, and numbers events that are not in the log (heartbeats, typing)
 * after the last entry that was committed before them. So ids increase, need no stored state, and
 * any process can continue from any of them. They stay below 2^53 until the log has 2^43 entries.
 */
export const idsPerEntry = 1024

export function firstIdOf(seq: number): number {
  return seq * idsPerEntry
}

export function seqOf(eventId: number): number {
  return Math.floor(eventId / idsPerEntry)
}
