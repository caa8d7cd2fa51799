import { Client, ResultCodeError, type Entry } from 'ldapts'

import { systemClock } from '../kernel/clock.js'
import type { LdapOptions } from './ldap-options.js'

/** Result codes by which a server says that name and password do not belong together. */
const refusals = new Set([
  32, // noSuchObject: some servers tell that there is no such name
  34, // invalidDNSyntax: the name cannot be part of a distinguished name there
  48, // inappropriateAuthentication: the entry has no password
  49, // invalidCredentials
])
const sizeLimitExceeded = 4
const noSuchObject = 32

/** What a bind has come to. `disabled` is what only some servers tell. */
export type BindResult = 'accepted' | 'refused' | 'disabled'

/** One connection to the directory, for one purpose. */
export class DirectoryConnection {
  readonly #client: Client

  private constructor(private readonly options: LdapOptions) {
    const { url, tls, connectTimeoutMilliseconds, timeoutMilliseconds } = options
    this.#client = new Client({
      url,
      connectTimeout: connectTimeoutMilliseconds ?? 5_000,
      timeout: timeoutMilliseconds ?? 10_000,
      // Names come from the server itself, which may know more forms of them than the client.
      strictDN: false,
      // The library takes options for an order to encrypt from the start, whatever the address.
      ...(url.startsWith('ldaps:') ? { tlsOptions: this.#tlsOptions(tls) } : {}),
    })
  }

  /**
   * Uses a connection and ends it.
   *
   * @throws {Error} saying what failed, without anything that was sent.
   */
  static async use<Result>(
    options: LdapOptions,
    action: (connection: DirectoryConnection) => Promise<Result>,
  ): Promise<Result> {
    const connection = new DirectoryConnection(options)
    try {
      if (options.startTls === true) await connection.#startTls()
      return await action(connection)
    } catch (error) {
      throw withoutCredentials(error)
    } finally {
      await connection.#client.unbind().catch(() => {})
    }
  }

  async bind(name: string, password: string): Promise<BindResult> {
    try {
      await this.#client.bind(name, password)
      return 'accepted'
    } catch (error) {
      if (!(error instanceof ResultCodeError) || !refusals.has(error.code)) throw error
      // Active Directory: 533 is a disabled account; it is answered to the right password alone.
      return /\bdata 533\b/.test(error.message) ? 'disabled' : 'refused'
    }
  }

  /**
   * Entries that a filter matches; two of them stand for any larger number. References to other
   * servers are not followed: they would be sent the same name and password.
   */
  async find(
    base: string,
    scope: 'base' | 'one' | 'sub',
    filter: string,
    attributes: readonly string[],
    binary: readonly string[] = [],
  ): Promise<readonly Entry[]> {
    try {
      const { searchEntries } = await this.#client.search(base, {
        scope,
        filter,
        sizeLimit: 2,
        derefAliases: 'never',
        attributes: [...attributes],
        explicitBufferAttributes: [...binary],
      })
      return searchEntries
    } catch (error) {
      if (!(error instanceof ResultCodeError)) throw error
      if (error.code === sizeLimitExceeded) return [{ dn: '' }, { dn: '' }]
      if (error.code === noSuchObject) return []
      throw error
    }
  }

  async #startTls(): Promise<void> {
    const encrypting = this.#client.startTLS({ ...this.#tlsOptions(this.options.tls) })
    const milliseconds = this.options.connectTimeoutMilliseconds ?? 5_000
    await new Promise<void>((resolve, reject) => {
      const timer = systemClock.setTimeout(
        () => reject(new Error('Encrypting the connection took too long')),
        milliseconds,
      )
      encrypting.then(resolve, reject).finally(() => timer.cancel())
    })
  }

  /** An encrypted connection is only worth something if the certificate is the named server's. */
  #tlsOptions(tls: LdapOptions['tls']): NonNullable<LdapOptions['tls']> {
    return { host: new URL(this.options.url).hostname.replaceAll(/[[\]]/g, ''), ...tls }
  }
}

const prefix = 'The directory: '

/** What a library throws may hold the request; an error of our own holds its text alone. */
function withoutCredentials(error: unknown): Error {
  if (error instanceof Error && error.message.startsWith(prefix)) return error
  const { name, message } = error as Partial<Error>
  const code = error instanceof ResultCodeError ? ` ${error.code}` : ''
  return new Error(`${prefix}${name ?? 'Error'}${code}: ${message ?? 'unknown'}`)
}
