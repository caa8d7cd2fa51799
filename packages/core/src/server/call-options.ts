import type { KnexTransaction, TransactionExecutor } from '../storage/index.js'

/** How the application's own code calls an operation. */
export interface CallOptions {
  /**
   * A transaction of the application to join: the writes of the operation are stored, and its
   * events are sent, if and only if the transaction commits. Reads see earlier writes in it. For
   * transactions that Knex has not begun, `@parley/core/transactions` has executors.
   *
   * @throws {TypeError} if it is not an open transaction of the chat's database.
   */
  readonly within?: KnexTransaction | TransactionExecutor | undefined
}

/** How the application's own code calls an operation that it may repeat: `sendMessage`. */
export interface RepeatableCallOptions extends CallOptions {
  /**
   * Identifies the call, so that it may be repeated: of the calls of a user with the same key, within
   * 24 hours, one stores a message, and all return its id, also in several processes and after a
   * restart. 1 to 255 characters.
   *
   * @throws {ChatError} `BAD_REQUEST` if the key was used with other parameters.
   */
  readonly idempotencyKey?: string | undefined
}
