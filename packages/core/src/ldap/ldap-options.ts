import type { ConnectionOptions } from 'node:tls'

import { FilterParser } from 'ldapts'

/** Where a directory is, and how its entries become chat users. */
export interface LdapOptions {
  /** `ldaps://host`, or `ldap://host` with `startTls`; the ports default to 636 and 389. */
  readonly url: string
  /** Whether a connection to an `ldap:` address is encrypted before anything else. @default false */
  readonly startTls?: boolean
  /** How the server's certificate is checked, such as the `ca` that signed it. @default Node's usual way */
  readonly tls?: ConnectionOptions
  /** Whether passwords may travel unencrypted to a machine other than this one. @default false */
  readonly allowPlainText?: boolean
  /** Finds somebody's entry by a search, and checks the password by a bind as that entry. */
  readonly search?: LdapSearch
  /**
   * The distinguished name of somebody's entry where no search is needed, with the placeholder
   * `{username}`: `uid={username},ou=people,dc=example,dc=com`. Instead of `search`.
   */
  readonly userDn?: string
  /** The names of attributes. */
  readonly attributes?: LdapAttributes
  /** A filter that matches the entries of closed accounts: `(loginShell=/sbin/nologin)`. */
  readonly disabledFilter?: string
  /** Whether names are e-mail addresses only. @default false */
  readonly emailUsernames?: boolean
  /** Whether somebody whom the chat does not know gets an account at the first login. @default true */
  readonly createsAccounts?: boolean
  /**
   * Whether an account that belongs to nobody's login yet passes to the entry with its address.
   * Only for directories in which nobody can choose the own address freely.
   * @default false
   */
  readonly adoptsAccountsByEmail?: boolean
  /** How long connecting may take, in milliseconds. @default 5000 */
  readonly connectTimeoutMilliseconds?: number
  /** How long each step after that may take, in milliseconds. @default 10000 */
  readonly timeoutMilliseconds?: number
}

/** How somebody's entry is found. */
export interface LdapSearch {
  /** As whom the search is done. @default anonymously */
  readonly bindDn?: string
  readonly bindPassword?: string
  /** The entry at which the search begins: `ou=people,dc=example,dc=com`. */
  readonly base: string
  /** @default 'sub' */
  readonly scope?: 'base' | 'one' | 'sub'
  /**
   * With the placeholder `{username}`, and `{organization}` for the subdomain if need be:
   * `(&(objectClass=person)(|(uid={username})(mail={username})))`. A name that several entries
   * match is nobody's.
   */
  readonly filter: string
}

/** The attributes that are read of an entry. */
export interface LdapAttributes {
  /**
   * What stays the same for as long as the account exists, and is never given to anybody else.
   * Where it is what `identify` gives as `externalId`, both logins lead to one account.
   * @default 'entryUUID'
   */
  readonly externalId?: string
  /** @default 'mail' */
  readonly email?: string
  /** @default 'cn' */
  readonly fullName?: string
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** @throws {TypeError} naming everything that is wrong at once. */
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
    // RFC 4513, 5.1.2: a name without a password is an anonymous bind that looks like a success.
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
