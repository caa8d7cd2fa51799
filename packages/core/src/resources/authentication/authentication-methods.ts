import { inject } from 'tsyringe'

import type { OrganizationSettings } from '../../domain/organization-settings.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'
import type { PasswordAuthenticator } from './password-authenticator.js'
import { PasswordAuthenticatorsToken } from './password-authenticators.js'

/** A way to log in, by the name that clients know. */
export type AuthenticationMethod = 'Email' | 'LDAP' | 'Dev'

type MethodSettings = Pick<
  OrganizationSettings,
  'password_auth_enabled' | 'disabled_authentication_methods'
>

/** Knows which ways to log in the server offers, and which of them an organization allows. */
@perServer()
export class AuthenticationMethods {
  /** What the server offers. */
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

  /** The application's authenticators that the organization lets people use, in their order. */
  allowedAuthenticators(settings: MethodSettings): readonly PasswordAuthenticator[] {
    return this.authenticators.filter(({ method }) =>
      this.allows(settings, method === 'ldap' ? 'LDAP' : 'Email'),
    )
  }

  /** What clients learn of every method that the server offers. */
  describe(settings: MethodSettings): Record<string, { enabled: boolean; available: boolean }> {
    return Object.fromEntries(
      this.#names.map((name) => [name, { enabled: this.allows(settings, name), available: true }]),
    )
  }

  /** @throws {ChatError} `BAD_REQUEST` if a method does not exist, or nobody could log in. */
  requireKnown(wanted: Readonly<Record<string, boolean>>): void {
    const stranger = Object.keys(wanted).find((name) => !this.#names.some((own) => own === name))
    if (stranger !== undefined) {
      const valid = this.#names.join(', ')
      throw badRequest(`Invalid authentication method: ${stranger}. Valid methods are: ${valid}`)
    }
    if (!Object.values(wanted).includes(true)) {
      throw badRequest('At least one authentication method must be enabled.')
    }
  }

  /**
   * The settings with which the wanted methods, and those that are not mentioned, are allowed.
   *
   * @returns undefined if that is so already.
   */
  change(
    settings: MethodSettings,
    wanted: Readonly<Record<string, boolean>>,
  ): MethodSettings | undefined {
    const allowed = (name: AuthenticationMethod): boolean =>
      wanted[name] ?? this.allows(settings, name)
    if (this.#names.every((name) => allowed(name) === this.allows(settings, name))) return undefined
    return {
      disabled_authentication_methods: this.#names.filter((name) => !allowed(name)),
      // Passwords that the chat stores, where they are the only ones that go with an address.
      password_auth_enabled:
        settings.password_auth_enabled || (wanted['Email'] === true && !this.#has('password')),
    }
  }

  #has(wanted: PasswordAuthenticator['method']): boolean {
    return this.authenticators.some(({ method }) => method === wanted)
  }
}
