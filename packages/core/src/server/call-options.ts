import type { KnexTransaction } from '../storage/index.js'

/** How the application's own code calls an operation. */
export interface CallOptions {
  /**
   * A transaction of the application to join: the writes of the operation are stored, and its
   * events are sent, if and only if the transaction commits. Reads see earlier writes in it.
   */
  readonly within?: KnexTransaction | undefined
}
