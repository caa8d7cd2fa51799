import type { KnexTransaction } from '../storage/index.js'

/** How the application's own code calls an operation. */
export interface CallOptions {
  /**
   * A transaction of the application to join: what the operation writes is stored, and its events
   * are sent, if and only if the transaction commits. Reads see what was written in it before.
   */
  readonly within?: KnexTransaction | undefined
}
