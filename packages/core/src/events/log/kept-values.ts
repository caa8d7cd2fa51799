/**
 * The changes of a transaction of the application that are visible to calls which have joined it,
 * and to others only when it commits.
 */
export interface UncommittedChanges {
  /** The kinds of the organization's events that the transaction has written so far. */
  kinds(organizationId: number): ReadonlySet<string>
  /**
   * Publishes the events of such transactions that have committed by now; undefined if there are
   * none whose end is not known.
   */
  settle(organizationId: number): undefined | Promise<void>
  /** Runs work outside the transaction: it reads committed rows only. */
  outside<Result>(work: () => Result): Result
  /** Reads a value once in the transaction, until the next write in it. */
  memoize<Value>(cache: object, organizationId: number, load: () => Promise<Value>): Promise<Value>
}

/** How often values were in a cache, and how often they had to be loaded. */
export interface CacheReads {
  hits: number
  misses: number
}
