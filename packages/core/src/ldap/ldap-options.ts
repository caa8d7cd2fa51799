import type { ConnectionOptions } from 'node:tls'

import { FilterParser } from 'ldapts'

/** The location of a directory, and the mapping of its entries to chat users. */
export interface LdapOptions {
  /** `ldaps://host`, or `ldap://host` with `startTls`; the ports default to 636 and 389. */
  readonly url: string
  /**
   * Whether a connection to an `ldap:` URL is upgraded to TLS before anything else is sent.
   * @default false
   */
  readonly startTls?: boolean
  /**
   * TLS options, such as the `ca` that signed the server's certificate. @default Node's defaults
   */
  readonly tls?: ConnectionOptions
  /** Whether passwords may be sent unencrypted to another machine. @default false */
  readonly allowPlainText?: boolean
  /** Finds a user's entry by a search, and checks the password by a bind as that entry. */
  readonly search?: LdapSearch
  /**
   * The distinguished name of a user's entry if no search is needed, with the placeholder
   * `{username}`: `uid={username},ou=people,dc=example,dc=com`. Instead of `search`.
   */
  readonly userDn?: string
  /** The names of attributes. */
  readonly attributes?: LdapAttributes
  /** A filter that matches the entries of disabled accounts: `(loginShell=/sbin/nologin)`. */
  readonly disabledFilter?: string
  /** Whether user names are e-mail addresses only. @default false */
  readonly emailUsernames?: boolean
  /** Whether a user without an account gets one at the first login. @default true */
  readonly createsAccounts?: boolean
  /**
   * Whether an account that is not linked to any login yet is linked to the entry with its e-mail
   * address. Only for directories in which users cannot freely choose their address.
   * @default false
   */
  readonly adoptsAccountsByEmail?: boolean
  /** Connection timeout, in milliseconds. @default 5000 */
  readonly connectTimeoutMilliseconds?: number
  /** Timeout of each later step, in milliseconds. @default 10000 */
  readonly timeoutMilliseconds?: number
}

/** The search for a user's entry. */
export interface LdapSearch {
  /** The distinguished name that the search binds as. @default anonymously */
  readonly bindDn?: string
  readonly bindPassword?: string
  /** The entry at which the search begins: `ou=people,dc=example,dc=com`. */
  readonly base: string
  /** @default 'sub' */
  readonly scope?: 'base' | 'one' | 'sub'
  /**
   * With the placeholder `{username}`, and optionally `{organization}` for the subdomain:
   * `(&(objectClass=person)(|(uid={username})(mail={username})))`. A name that matches several
   * entries is rejected.
   */
  readonly filter: string
}

/** The attributes that are read from an entry. */
export interface LdapAttributes {
  /**
   * An attribute that never changes while the account exists, and is never reassigned. If it equals
   * the `externalId` that `identify` returns, both logins lead to the same account.
   * @default 'entryUUID'
   */
  readonly externalId?: string
  /** @default 'mail' */
  readonly email?: string
  /** @default 'cn' */
  readonly fullName?: string
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** @throws {TypeError} naming everything that is invalid at once. */
export function checkLdapOptions(options: LdapOptions): void {
  const problems = [...addressProblems(options), ...entryProblems(options)]
  for (const name of ['connectTimeoutMilliseconds', 'timeoutMilliseconds'] as const) {
    const value = options[name]
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
      problems.push(`${name} must be a positive number`)
    }
  }
  if (problems.length > 0) {
    throw new TypeError(`ldapPasswordAuthenticator: ${problems.join('; ')}`)
  }
}

function* addressProblems({ url, startTls, allowPlainText }: LdapOptions): Generator<string> {
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^ldaps?:$/.test(address.protocol) || address.hostname === '') {
    yield 'url must begin with ldap:// or ldaps:// and name a host'
    return
  }
  if (address.protocol === 'ldaps:') {
    if (startTls === true) yield 'startTls is for ldap: addresses, ldaps: is encrypted already'
    return
  }
  const isPlain = startTls !== true && allowPlainText !== true
  if (isPlain && !loopback.has(address.hostname)) {
    yield 'url would send passwords unencrypted: use ldaps:, startTls or allowPlainText'
  }
}

function* entryProblems({ search, userDn, disabledFilter }: LdapOptions): Generator<string> {
  if ((search === undefined) === (userDn === undefined)) {
    yield 'exactly one of search and userDn is needed'
  }
  if (userDn !== undefined && !userDn.includes('{username}')) {
    yield 'userDn needs the placeholder {username}'
  }
  if (search !== undefined) {
    if (!search.filter.includes('{username}')) {
      yield 'search.filter needs the placeholder {username}'
    }
    // RFC 4513, 5.1.2: a bind with a name but no password is anonymous and succeeds.
    if ((search.bindDn ?? '') !== '' && (search.bindPassword ?? '') === '') {
      yield 'search.bindDn needs a bindPassword'
    }
    if (!isFilter(search.filter.replaceAll(/\{\w+\}/g, 'x'))) yield 'search.filter is no filter'
  }
  if (disabledFilter !== undefined && !isFilter(disabledFilter)) {
    yield 'disabledFilter is no filter'
  }
}

function isFilter(text: string): boolean {
  try {
    FilterParser.parseString(text)
    return true
  } catch {
    return false
  }
}
