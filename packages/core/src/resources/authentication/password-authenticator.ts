import type { HostIdentity } from '../../http/host-identity.js'

/** One attempt to log in with a name and a password. */
export interface PasswordAttempt {
  /** What was typed: an e-mail address, or whatever the authenticator takes for a name. */
  readonly username: string
  readonly password: string
  /** The `subdomain` of the organization. */
  readonly organization: string
}

/**
 * The result of an attempt. With the right password: the identity of the user, `'deactivated'` for a
 * closed account, or `'resetRequired'` if the password must be changed before it can be used. In any
 * other case undefined: if the name is not known, or the password is wrong, whatever the state of the
 * account.
 */
export type PasswordVerdict = HostIdentity | 'deactivated' | 'resetRequired' | undefined

/**
 * Checks passwords in another place than the chat's own accounts, such as the application's user
 * table or a directory. The chat user is created at the first success.
 */
export interface PasswordAuthenticator {
  /** Which of the `authentication_methods` that clients are told of this is. */
  readonly method: 'password' | 'ldap'
  /** Whether names need not be e-mail addresses. */
  readonly acceptsAnyUsername: boolean
  /** Whether somebody whom the chat does not know gets an account at the first login. @default true */
  readonly createsAccounts?: boolean
  /**
   * Whether an account that no login owns yet passes to whoever this authenticator says has its
   * address. Only where nobody can choose the own address freely.
   * @default false
   */
  readonly adoptsAccountsByEmail?: boolean
  /**
   * Should take the same time whether or not it knows the name. What it throws means that it could
   * not tell: it is logged, and the client is asked to come back unless somebody else knows the
   * password.
   */
  authenticate(attempt: PasswordAttempt): PasswordVerdict | Promise<PasswordVerdict>
}
