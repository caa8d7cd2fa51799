import { inject } from 'tsyringe'

import type { OrganizationSettings } from '../../../domain/organizations/organization-settings.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { PasswordAuthenticator } from './password-authenticator.js'
import { PasswordAuthenticatorsToken } from './password-authenticators.js'

/** A login method, by its name in the API. */
export type AuthenticationMethod = 'Email' | 'LDAP' | 'Dev'

type MethodSettings = Pick<
  OrganizationSettings,
  'password_auth_enabled' | 'disabled_authentication_methods'
>

/** The login methods that the server offers, and which of them an organization allows. */
@perServer()
export class AuthenticationMethods {
  /** The methods that the server offers. */
  readonly #names: readonly AuthenticationMethod[]

  constructor(
    @inject(PasswordAuthenticatorsToken)
    private readonly authenticators: readonly PasswordAuthenticator[],
    @inject(ServerFactsToken) facts: ServerFacts,
  ) {
    this.#names = [
      'Email',
      ...(this.#has('ldap') ? (['LDAP'] as const) : []),
      ...(facts.development ? (['Dev'] as const) : []),
    ]
  }

  allows(settings: MethodSettings, method: AuthenticationMethod): boolean {
    if (!this.#names.includes(method)) return false
    if (settings.disabled_authentication_methods.includes(method)) return false
    return method !== 'Email' || settings.password_auth_enabled || this.#has('password')
  }

  /** The application's authenticators that the organization allows, in their order. */
  allowedAuthenticators(settings: MethodSettings): readonly PasswordAuthenticator[] {
    return this.authenticators.filter(({ method }) =>
      this.allows(settings, method === 'ldap' ? 'LDAP' : 'Email'),
    )
  }

  /** Describes every method that the server offers, as clients receive it. */
  describe(settings: MethodSettings): Record<string, { enabled: boolean; available: boolean }> {
    return Object.fromEntries(
      this.#names.map((name) => [name, { enabled: this.allows(settings, name), available: true }]),
    )
  }

  /** @throws {ChatError} `BAD_REQUEST` if a method does not exist, or if none would be enabled. */
  requireKnown(changes: Readonly<Record<string, boolean>>): void {
    const unknownName = Object.keys(changes).find(
      (name) => !this.#names.some((own) => own === name),
    )
    if (unknownName !== undefined) {
      const valid = this.#names.join(', ')
      throw badRequest('AUTHENTICATION_METHOD_UNKNOWN', { method: unknownName, methods: valid })
    }
    if (!Object.values(changes).includes(true)) {
      throw badRequest('AUTHENTICATION_METHOD_REQUIRED')
    }
  }

  /**
   * Returns the settings that apply `changes`. Methods that it does not mention keep their state.
   *
   * @returns undefined if nothing changes.
   */
  change(
    settings: MethodSettings,
    changes: Readonly<Record<string, boolean>>,
  ): MethodSettings | undefined {
    const allowed = (name: AuthenticationMethod): boolean =>
      changes[name] ?? this.allows(settings, name)
    if (this.#names.every((name) => allowed(name) === this.allows(settings, name))) return undefined
    return {
      disabled_authentication_methods: this.#names.filter((name) => !allowed(name)),
      // Enables the passwords that the chat stores, unless an authenticator checks passwords for
      // e-mail addresses.
      password_auth_enabled:
        settings.password_auth_enabled || (changes['Email'] === true && !this.#has('password')),
    }
  }

  #has(name: PasswordAuthenticator['method']): boolean {
    return this.authenticators.some(({ method }) => method === name)
  }
}
