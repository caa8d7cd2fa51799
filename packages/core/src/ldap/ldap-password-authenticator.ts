import type { Entry } from 'ldapts'

import { randomToken } from '../kernel/random.js'
import type {
  PasswordAttempt,
  PasswordAuthenticator,
  PasswordVerdict,
} from '../resources/access/authentication/index.js'
import { type BindResult, DirectoryConnection } from './directory-connection.js'
import { checkLdapOptions, type LdapOptions, type LdapSearch } from './ldap-options.js'

const inFilters = /[\0()*\\]/g
const inNames = /^[ #]|[\0"+,;<=>\\]| $/g

/** Escapes a text for literal use in a search filter (RFC 4515, section 3). */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(inFilters, hexEscape)
}

/** Escapes a text for literal use as a value in a distinguished name (RFC 4514, 2.4). */
export function escapeNameValue(text: string): string {
  return text.replaceAll(inNames, hexEscape)
}

function hexEscape(character: string): string {
  return `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

const anyEntry = '(objectClass=*)'

/**
 * Checks passwords in an LDAP directory, for the option `passwordAuthenticators`. Every attempt
 * uses its own connections, which are closed afterwards; the password is never kept or logged.
 *
 * @throws {TypeError} naming everything that is invalid in the options.
 */
export function ldapPasswordAuthenticator(options: LdapOptions): PasswordAuthenticator {
  checkLdapOptions(options)
  return new LdapPasswordAuthenticator(options)
}

class LdapPasswordAuthenticator implements PasswordAuthenticator {
  readonly method = 'ldap'
  readonly acceptsAnyUsername: boolean
  readonly createsAccounts: boolean
  readonly adoptsAccountsByEmail: boolean
  readonly #options: LdapOptions
  readonly #names: { externalId: string; email: string; fullName: string }

  constructor(options: LdapOptions) {
    this.#options = options
    this.acceptsAnyUsername = options.emailUsernames !== true
    this.createsAccounts = options.createsAccounts !== false
    this.adoptsAccountsByEmail = options.adoptsAccountsByEmail === true
    this.#names = { externalId: 'entryUUID', email: 'mail', fullName: 'cn', ...options.attributes }
  }

  async authenticate(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    // RFC 4513, 5.1.2: a bind without a password is anonymous and succeeds, whatever the name.
    if (attempt.username === '' || attempt.password === '') return undefined
    const { search, userDn } = this.#options
    return search === undefined
      ? this.#byName(fill(userDn ?? '', attempt, escapeNameValue), attempt.password)
      : this.#bySearch(search, attempt)
  }

  async #bySearch(search: LdapSearch, attempt: PasswordAttempt): Promise<PasswordVerdict> {
    return DirectoryConnection.use(this.#options, async (connection) => {
      if (search.bindDn !== undefined && search.bindDn !== '') {
        const result = await connection.bind(search.bindDn, search.bindPassword ?? '')
        if (result !== 'accepted') throw new Error('search.bindDn was not let in')
      }
      const filter = fill(search.filter, attempt, escapeFilterValue)
      const entries = await this.#read(connection, search.base, search.scope ?? 'sub', filter)
      const entry = entries.length > 1 ? undefined : entries[0]
      // One entry may have many names: the filter may compare several attributes.
      await attempt.countFor(entry?.dn)
      if (entry === undefined) {
        await this.#refuseAsSlowly(search, attempt.password)
        return undefined
      }
      const result = await this.#bindAlone(entry.dn, attempt.password)
      if (result === 'refused') return undefined
      const isDisabled = result === 'disabled' || (await this.#isDisabled(connection, entry.dn))
      return isDisabled ? 'deactivated' : this.#identity(entry)
    })
  }

  /**
   * Takes the same steps as for a wrong password, so that timing does not reveal which names exist.
   */
  async #refuseAsSlowly({ base }: LdapSearch, password: string): Promise<void> {
    const unknown = [`cn=${randomToken(12)}`, base].filter((part) => part !== '').join(',')
    try {
      await this.#bindAlone(unknown, password)
    } catch {
      // Some servers answer such a name with another error than a wrong password.
    }
  }

  #bindAlone(name: string, password: string): Promise<BindResult> {
    return DirectoryConnection.use(this.#options, (own) => own.bind(name, password))
  }

  async #byName(name: string, password: string): Promise<PasswordVerdict> {
    return DirectoryConnection.use(this.#options, async (connection) => {
      const result = await connection.bind(name, password)
      if (result !== 'accepted') return result === 'disabled' ? 'deactivated' : undefined
      if (await this.#isDisabled(connection, name)) return 'deactivated'
      const [entry] = await this.#read(connection, name, 'base', anyEntry)
      if (entry === undefined) throw new Error('an entry may not read itself')
      return this.#identity(entry)
    })
  }

  #read(
    connection: DirectoryConnection,
    base: string,
    scope: 'base' | 'one' | 'sub',
    filter: string,
  ): Promise<readonly Entry[]> {
    const { externalId, email, fullName } = this.#names
    return connection.find(base, scope, filter, [externalId, email, fullName], [externalId])
  }

  async #isDisabled(connection: DirectoryConnection, name: string): Promise<boolean> {
    const { disabledFilter } = this.#options
    if (disabledFilter === undefined) return false
    return (await connection.find(name, 'base', disabledFilter, ['1.1'])).length > 0
  }

  #identity(entry: Entry): PasswordVerdict {
    const { externalId, email, fullName } = this.#names
    return {
      externalId: requireValue(entry, externalId),
      email: requireValue(entry, email),
      fullName: requireValue(entry, fullName),
    }
  }
}

function fill(template: string, attempt: PasswordAttempt, escape: (text: string) => string) {
  const { username, organization } = attempt
  const values: Readonly<Record<string, string>> = { username: username.trim(), organization }
  return template.replaceAll(/\{(username|organization)\}/g, (_, name: string) =>
    escape(values[name] ?? ''),
  )
}

/** The first value of an attribute, whose name the server may return in another case. */
function requireValue(entry: Entry, attribute: string): string {
  const key = Object.keys(entry).find((name) => name.toLowerCase() === attribute.toLowerCase())
  const value = key === undefined ? undefined : [entry[key]].flat()[0]
  const text = Buffer.isBuffer(value) ? textOf(value) : value
  if (text === undefined || text === '') {
    throw new Error(`an entry has no ${attribute} that may be read`)
  }
  return text
}

/** Converts an identifier, which is text in most directories and binary in Active Directory. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return /^[\x21-\x7e]+$/.test(text) ? text : bytes.toString('hex')
}
