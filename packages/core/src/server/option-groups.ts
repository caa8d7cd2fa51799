import type { OperationGroup, OperationId } from './api-types.generated.js'

/** The requirements for a new password. */
export interface PasswordPolicy {
  /** Minimum length in characters, from 1 to 100. @default 8 */
  readonly minLength?: number
  /** Minimum number of guesses, as estimated by zxcvbn; 0 for no estimate. @default 100_000_000 */
  readonly minGuesses?: number
}

/** Which operations the server offers. */
export interface OperationsOption {
  /**
   * Operations that are switched off: ids such as `upload-file`, and groups such as `bots`. They
   * are refused over HTTP and through `chat.as`, and not part of the server's `openapi.json`;
   * `chat.asSystem` may call them.
   * @default []
   */
  readonly disabled?: readonly (OperationId | OperationGroup)[]
}
