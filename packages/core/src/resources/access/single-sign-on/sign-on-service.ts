import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database } from '../../../storage/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserRepository, type UserRow, requireApiKeyAllowed } from '../../people/users/index.js'
import { consentPage } from './consent-page.js'
import { encryptWithPad, isPad } from './one-time-pad.js'
import { SignOnToken, signOnPath, type SignOn } from './sign-on-settings.js'

/** The next step of the browser: a redirect, or a page. */
export type SignOnStep = { readonly location: string } | { readonly page: string }

/** A request of a browser that a client has opened. */
export interface SignOnVisit {
  /** The actor whom the application's login has authenticated, if any. */
  readonly actor: Actor | undefined
  readonly mobilePad: string | undefined
  readonly desktopPad: string | undefined
  /** Whether a page of another site has started the navigation. */
  readonly isCrossSiteNavigation: boolean
  /** The origin at which the browser reached the server. */
  readonly origin: string
}

/**
 * Signs users in on their devices through the application's login: the device creates a one-time
 * pad, and the browser passes it the API key encrypted with that pad.
 */
@perServer()
export class SignOnService {
  readonly #signOn: SignOn | undefined

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(SignOnToken) { signOn }: { readonly signOn: SignOn | undefined },
  ) {
    this.#signOn = signOn
  }

  /**
   * @throws {ChatError} `ROUTE_NOT_FOUND` if the application has no such login, or `BAD_REQUEST` if
   *   the pad is invalid.
   */
  async step(visit: SignOnVisit): Promise<SignOnStep> {
    if (this.#signOn === undefined) throw new ChatError('ROUTE_NOT_FOUND')
    const pad = requirePad(visit)
    const url = this.facts.baseUrl ?? visit.origin
    if (visit.actor === undefined) return { location: loginLocation(this.#signOn, url, pad) }
    const user = await this.#owner(visit.actor)
    requireApiKeyAllowed(user, this.facts)
    if (visit.isCrossSiteNavigation) {
      // A navigation from another site needs a confirmation on a page of this server.
      const { name } = await this.organizations.require(visit.actor.organizationId)
      return { page: consentPage(name, user.full_name, pathOf(url, pad)) }
    }
    return { location: this.#deviceLocation(user, url, pad) }
  }

  async #owner(actor: Actor): Promise<UserRow> {
    const user = await this.users.find(this.database.read(actor.organizationId), actor.userId)
    if (user === undefined) throw new ChatError('UNAUTHORIZED')
    return user
  }

  /** Uses the URL scheme that existing clients have registered with their devices. */
  #deviceLocation(user: UserRow, url: string, pad: string): string {
    const query = new URLSearchParams({
      realm: url,
      email: user.email,
      user_id: String(user.id),
      otp_encrypted_api_key: encryptWithPad(this.apiKeys.reveal(user), pad),
    })
    return `zulip://login?${query}`
  }
}

function requirePad({ mobilePad, desktopPad }: SignOnVisit): string {
  if (mobilePad !== undefined && desktopPad !== undefined) {
    throw badRequest("Can't use both mobile_flow_otp and desktop_flow_otp together.")
  }
  if (mobilePad === undefined || !isPad(mobilePad)) throw badRequest('Invalid OTP')
  return mobilePad
}

function loginLocation({ loginUrl }: SignOn, url: string, pad: string): string {
  const own = pathOf(url, pad)
  const next = loginUrl.startsWith('/') ? own : new URL(own, url).href
  const separator = loginUrl.includes('?') ? '&' : '?'
  return `${loginUrl}${separator}${new URLSearchParams({ next })}`
}

/**
 * The path of this request, built only from validated values: it cannot redirect to another site.
 */
function pathOf(url: string, pad: string): string {
  const base = new URL(url).pathname.replace(/\/$/, '')
  return `${base}${signOnPath}?mobile_flow_otp=${pad}`
}
