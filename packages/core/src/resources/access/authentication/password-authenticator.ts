import type { HostIdentity } from '../../../http/pipeline/host-identity.js'

/** One attempt to log in with a name and a password. */
export interface PasswordAttempt {
  /** As typed: an e-mail address, or any name that the authenticator accepts. */
  readonly username: string
  readonly password: string
  /** The `subdomain` of the organization. */
  readonly organization: string
  /**
   * Counts the attempt for an account, besides the name that was typed: to be called before the
   * password is checked, if one account can have several names, such as a user name and an address.
   * Names that differ only in case, white space or compatible characters (NFKC) count as one anyway.
   *
   * @param account identifies the account, whatever was typed; undefined if the name is unknown,
   *   so that both cases take the same time.
   * @throws {ChatError} if there were too many attempts: let the error pass.
   */
  readonly countFor: (account: string | undefined) => Promise<void>
}

/**
 * The result of an attempt. If the password is right: the identity of the user, `'deactivated'` for
 * a deactivated account, or `'resetRequired'` if the password must be changed before it can be
 * used. Otherwise undefined: if the name is unknown or the password is wrong, whatever the state of
 * the account.
 */
export type PasswordVerdict = HostIdentity | 'deactivated' | 'resetRequired' | undefined

/**
 * Checks passwords outside the chat's own accounts, such as in the application's user table or a
 * directory. The chat user is created at the first success.
 */
export interface PasswordAuthenticator {
  /** Which of the `authentication_methods` that clients receive this authenticator is. */
  readonly method: 'password' | 'ldap'
  /** Whether names need not be e-mail addresses. */
  readonly acceptsAnyUsername: boolean
  /** Whether a user without a chat account gets one at the first login. @default true */
  readonly createsAccounts?: boolean
  /**
   * Whether an account that no login owns yet is given to the user for whom this authenticator
   * returns its address. Enable it only if users cannot choose their own address freely.
   *
   * @default false
   */
  readonly adoptsAccountsByEmail?: boolean
  /**
   * Should take the same time whether or not the name exists. An exception means that the password
   * could not be checked: it is logged, and the client is asked to retry unless another
   * authenticator accepts the password.
   */
  authenticate(attempt: PasswordAttempt): PasswordVerdict | Promise<PasswordVerdict>
}
