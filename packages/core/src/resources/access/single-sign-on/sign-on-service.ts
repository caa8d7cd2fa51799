import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { CallOrigin } from '../../../domain/users/call-origin.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import { Database } from '../../../storage/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import { requireApiKeyAllowed, UserRepository, type UserRow } from '../../people/users/index.js'
import { SignInAudit } from '../authentication/index.js'
import { consentPage } from './consent-page.js'
import { type SignOn, signOnPath, SignOnToken } from './sign-on-settings.js'

/** 32 bytes, as hexadecimal digits. */
const padPattern = /^[0-9a-fA-F]{64}$/

/** Whether a text is a one-time pad for an API key. */
export function isPad(text: string): boolean {
  return padPattern.test(text)
}

/**
 * Encrypts an API key with a one-time pad, so that only the client that created the pad can read
 * it. Decryption is the same operation.
 *
 * @param apiKey 32 ASCII characters.
 * @param pad 64 hexadecimal digits, used once.
 * @returns 64 lower-case hexadecimal digits.
 */
export function encryptWithPad(apiKey: string, pad: string): string {
  const key = Buffer.from(apiKey, 'ascii')
  const bytes = Buffer.from(pad, 'hex')
  return Buffer.from(key.map((byte, index) => byte ^ (bytes[index] ?? 0))).toString('hex')
}

/** The next step of the browser: a redirect, or a page. */
export type SignOnStep = { readonly location: string } | { readonly page: Buffer }

/** A request of a browser that a client has opened. */
export interface SignOnVisit {
  /** The actor whom the application's login has authenticated, if any. */
  readonly actor: Actor | undefined
  readonly mobilePad: string | undefined
  readonly desktopPad: string | undefined
  /** Whether a page of another site has started the navigation. */
  readonly isCrossSiteNavigation: boolean
  /** The URL at which the browser reached the chat. */
  readonly chatUrl: string
  readonly origin: CallOrigin
  /** The header `Accept-Language`. */
  readonly acceptLanguage: string | undefined
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
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(SignInAudit) private readonly signIns: SignInAudit,
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
    const own = this.#ownPath(pad)
    if (visit.actor === undefined) {
      return { location: loginLocation(this.#signOn, own, visit.chatUrl) }
    }
    const user = await this.#owner(visit.actor)
    requireApiKeyAllowed(user, this.facts)
    if (visit.isCrossSiteNavigation) {
      // A navigation from another site needs a confirmation on a page of this server.
      const { organizationId } = visit.actor
      const { name } = await this.organizations.require(organizationId)
      const writer = await this.texts.writerForPage(organizationId, visit.acceptLanguage)
      return { page: consentPage(name, user.full_name, own, writer) }
    }
    await this.signIns.note(user, visit.origin)
    return { location: this.#deviceLocation(user, visit.chatUrl, pad) }
  }

  /** The path of this request, only of validated values: it cannot redirect to another site. */
  #ownPath(pad: string): string {
    return `${this.facts.address.api(signOnPath)}?mobile_flow_otp=${pad}`
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
    throw badRequest('SIGN_ON_FLOWS_CONFLICT')
  }
  if (mobilePad === undefined || !isPad(mobilePad)) throw badRequest('SIGN_ON_OTP_INVALID')
  return mobilePad
}

/**
 * The login page of the application, which redirects to a path of this server.
 *
 * @param own the path, with the base path of the chat; never of unchecked values.
 */
export function loginLocation({ loginUrl }: SignOn, own: string, chatUrl: string): string {
  const next = loginUrl.startsWith('/') ? own : new URL(own, chatUrl).href
  const separator = loginUrl.includes('?') ? '&' : '?'
  return `${loginUrl}${separator}${new URLSearchParams({ next })}`
}
