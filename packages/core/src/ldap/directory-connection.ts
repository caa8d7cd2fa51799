import { Client, ResultCodeError, type Entry } from 'ldapts'

import { systemClock } from '../kernel/clock.js'
import type { LdapOptions } from './ldap-options.js'

/** Result codes for a wrong name or password. */
const refusals = new Set([
  32, // noSuchObject: sent by some servers for an unknown name
  34, // invalidDNSyntax: the name cannot be part of a distinguished name
  48, // inappropriateAuthentication: the entry has no password
  49, // invalidCredentials
])
const sizeLimitExceeded = 4
const noSuchObject = 32

/** The result of a bind. Only some servers report `disabled`. */
export type BindResult = 'accepted' | 'refused' | 'disabled'

/** One connection to the directory, for a single task. */
export class DirectoryConnection {
  readonly #client: Client

  private constructor(private readonly options: LdapOptions) {
    const { url, tls, connectTimeoutMilliseconds, timeoutMilliseconds } = options
    this.#client = new Client({
      url,
      connectTimeout: connectTimeoutMilliseconds ?? 5_000,
      timeout: timeoutMilliseconds ?? 10_000,
      // Names come from the server itself, which may support more forms of them than the client.
      strictDN: false,
      // The library treats TLS options as a request for TLS from the start, whatever the URL.
      ...(url.startsWith('ldaps:') ? { tlsOptions: this.#tlsOptions(tls) } : {}),
    })
  }

  /**
   * Opens a connection, runs the callback and closes the connection.
   *
   * @throws {Error} with the cause of the failure, without anything that was sent.
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
      // Active Directory: 533 is a disabled account, reported only if the password is correct.
      return /\bdata 533\b/.test(error.message) ? 'disabled' : 'refused'
    }
  }

  /**
   * The entries that match a filter, at most two, which are enough to detect ambiguity. Referrals
   * to other servers are not followed: they would receive the same name and password.
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
      encrypting
        .then(resolve)
        .catch(reject)
        .finally(() => timer.cancel())
    })
  }

  /**
   * Options with the expected server name: encryption is useless unless the certificate is
   * verified.
   */
  #tlsOptions(tls: LdapOptions['tls']): NonNullable<LdapOptions['tls']> {
    return { host: new URL(this.options.url).hostname.replaceAll(/[[\]]/g, ''), ...tls }
  }
}

const prefix = 'The directory: '

/** Wraps an error of the library, which may contain the request, in one with its message only. */
function withoutCredentials(error: unknown): Error {
  if (error instanceof Error && error.message.startsWith(prefix)) return error
  const { name, message } = error instanceof Error ? error : new Error('unknown')
  const code = error instanceof ResultCodeError ? ` ${error.code}` : ''
  return new Error(`${prefix}${name}${code}: ${message}`)
}
