/** Events have the ids from the number of their entry in the log times this. */
export const idsPerEntry = 1024

/** What happened to the messages of a user, in its order, as two numbers. */
export interface HistoryDigest {
  readonly count: number
  readonly hash: number
}

/** Digests the entries of the log that bring or change messages. */
export class History implements HistoryDigest {
  count = 0
  hash = 0

  add(seq: number, messageId: number): void {
    this.count += 1
    this.hash = (Math.imul(Math.imul(this.hash, 31) + seq, 31) + messageId) | 0
  }
}
