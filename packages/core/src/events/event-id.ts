/**
 * Ids of events as clients see them: `seq × 1024 + n`.
 *
 * `seq` is the entry's place in the organization's log; `n` tells apart the events that one entry
 * becomes for a queue, and numbers events that are in no log (heartbeats, typing) after the last
 * entry that was committed before them. So ids increase, need no stored state, and any process can go on
 * from any of them. They stay below 2^53 until the log has 2^43 entries.
 */
export const idsPerEntry = 1024

export function firstIdOf(seq: number): number {
  return seq * idsPerEntry
}

export function seqOf(eventId: number): number {
  return Math.floor(eventId / idsPerEntry)
}
