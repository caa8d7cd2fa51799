import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import {
  AuthenticationMethods,
  SignUpLimit,
  type SignUpOrigin,
} from '../../access/authentication/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { PasswordHasher, PasswordStrength } from '../../people/credentials/index.js'
import { Mailer } from '../email-changes/index.js'
import { UniqueNames } from '../user-administration/index.js'
import { InvitationAcceptance } from './invitation-acceptance.js'
import { InvitationLinks } from './invitation-links.js'
import { InvitationMailDelivery } from './invitation-mail-delivery.js'
import { InvitationRepository } from './invitation-repository.js'
import { invitations, type InvitationRow } from './invitations-table.js'
import { InvitationsOptionToken, type InvitationsOption } from './invitation-settings.js'
import { InviteeAddresses } from './invitee-addresses.js'

/** How long the link in a mail that confirms an address can be used. */
const signUpSeconds = 86_400

/** The next step of a person who has followed an invitation link. */
export type JoinStep =
  /** Enters an address, which a mail then confirms. */
  | { readonly kind: 'address' }
  /** Follows the link in the mail. */
  | { readonly kind: 'mail'; readonly email: string }
  /** Enters a name and a password, and an address if the invitation has none. */
  | { readonly kind: 'account'; readonly email: string | undefined }
  /** Nothing: the account was created. */
  | { readonly kind: 'done'; readonly email: string }

/** A step, with the facts that every page shows. */
export interface JoinView {
  readonly step: JoinStep
  readonly organizationName: string
  /** Undefined where the page does not show it. */
  readonly inviterName: string | undefined
}

/** The values that a person has entered. */
export interface JoinForm {
  readonly email: string | undefined
  readonly fullName: string | undefined
  readonly password: string | undefined
  readonly acceptsTerms: boolean
}

/** The request that has sent a form. */
export interface JoinRequest extends SignUpOrigin {
  readonly chatUrl: string
}

/** Signs people up on the chat's own page. */
@perServer()
export class JoinService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(InvitationAcceptance) private readonly acceptance: InvitationAcceptance,
    @inject(InvitationRepository) private readonly invitations: InvitationRepository,
    @inject(InvitationLinks) private readonly links: InvitationLinks,
    @inject(InvitationMailDelivery) private readonly mails: InvitationMailDelivery,
    @inject(InviteeAddresses) private readonly addresses: InviteeAddresses,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(AuthenticationMethods) private readonly methods: AuthenticationMethods,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(PasswordStrength) private readonly strength: PasswordStrength,
    @inject(Mailer) private readonly mailer: Mailer,
    @inject(SignUpLimit) private readonly limit: SignUpLimit,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(InvitationsOptionToken) private readonly option: InvitationsOption,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** The application's own page for the invitation, if it has one. */
  ownPageOf(token: string, chatUrl: string, subdomain: string): string | undefined {
    if (this.option.acceptUrl === undefined) return undefined
    return this.links.urlOfToken(token, chatUrl, subdomain)
  }

  /**
   * The first step for a person who has followed a link.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the invitation is not usable, `BAD_REQUEST` if
   *   people cannot sign up here.
   */
  async begin(organizationId: number, token: string): Promise<JoinView> {
    const invitation = await this.acceptance.find(organizationId, token)
    const { name } = await this.#requireOpen(organizationId)
    const isAddressNeeded = invitation.is_reusable && this.#confirmsAddresses
    if (isAddressNeeded && !this.mailer.isConfigured) throw closed()
    return {
      step: isAddressNeeded
        ? { kind: 'address' }
        : { kind: 'account', email: invitation.email ?? undefined },
      organizationName: name,
      // The page of a link that anyone may have passed on names no user.
      inviterName:
        invitation.is_reusable || invitation.link_id !== null
          ? undefined
          : await this.acceptance.inviterName(invitation),
    }
  }

  /**
   * Processes a form.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the invitation is not usable; `BAD_REQUEST` if
   *   people cannot sign up here, or an input is invalid; `RATE_LIMIT_HIT` if there were too
   *   many mails.
   */
  async submit(
    organizationId: number,
    token: string,
    form: JoinForm,
    request: JoinRequest,
  ): Promise<JoinStep> {
    const invitation = await this.acceptance.find(organizationId, token)
    await this.#requireOpen(organizationId)
    if (invitation.is_reusable && this.#confirmsAddresses) {
      return this.#requestMail(organizationId, token, form, request)
    }
    return this.#createAccount(invitation, token, form, request)
  }

  get #confirmsAddresses(): boolean {
    return this.option.confirmAddresses ?? true
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if the application has its own page, or new accounts could not
   *   sign in with their passwords.
   */
  async #requireOpen(organizationId: number): Promise<{ readonly name: string }> {
    const organization = await this.organizations.require(organizationId)
    const { settings } = organization
    const hasPasswords = settings.password_auth_enabled && this.methods.allows(settings, 'Email')
    if (this.option.acceptUrl !== undefined || !hasPasswords) throw closed()
    return organization
  }

  async #requestMail(
    organizationId: number,
    linkToken: string,
    form: JoinForm,
    request: JoinRequest,
  ): Promise<JoinStep> {
    if (!this.mailer.isConfigured) throw closed()
    const email = form.email?.trim() ?? ''
    const problem = await this.addresses.problemOf(this.database.read(organizationId), email)
    if (problem !== undefined) throw new ChatError('BAD_REQUEST', { text: problem })
    await this.limit.require(organizationId, email, request)
    const emailKey = foldCase(email)
    await this.unitOfWork.run(organizationId, async (tx) => {
      const now = nowSeconds(this.clock)
      const link = await this.acceptance.requireUsable(tx, linkToken)
      const expires_at_seconds = Math.min(now + signUpSeconds, link.expires_at_seconds ?? Infinity)
      const due = { invited_at_seconds: now, expires_at_seconds, due_at_seconds: now, attempts: 0 }
      const earlier = await this.invitations.findSignUp(tx, link.id, emailKey, now)
      if (earlier === undefined) {
        const others = await this.invitations.countSignUps(tx, link.id, now)
        this.quotas.require('signUpsPerInvitationLink', others + 1)
        const { id: _id, organization_id: _organizationId, ...offer } = link
        await tx.rows(invitations).insertMany([
          {
            ...offer,
            ...due,
            ...this.links.toStored(this.links.createToken()),
            is_reusable: false,
            link_id: link.id,
            email,
            email_key: emailKey,
            chat_url: request.chatUrl,
            mail_count: 1,
          },
        ])
      } else {
        const mail_count = earlier.mail_count + 1
        const isReadable = this.links.urlOf(earlier, earlier.chat_url, '') !== undefined
        await tx.rows(invitations).update(
          { id: earlier.id },
          {
            ...due,
            mail_count,
            // A new secret, if the present one can no longer be decrypted.
            ...(isReadable ? {} : this.links.toStored(this.links.createToken())),
          },
        )
      }
      this.mails.wakeAfterCommit(tx)
    })
    return { kind: 'mail', email }
  }

  async #createAccount(
    invitation: InvitationRow,
    token: string,
    form: JoinForm,
    request: JoinRequest,
  ): Promise<JoinStep> {
    const { organization_id } = invitation
    const email = invitation.email ?? form.email?.trim() ?? ''
    const scope = this.database.read(organization_id)
    const problem =
      (await this.addresses.problemOf(scope, email)) ?? (await this.addresses.takenBy(scope, email))
    if (problem !== undefined) throw new ChatError('BAD_REQUEST', { text: problem })
    const fullName = normalizeFullName(form.fullName ?? '')
    await this.names.require(scope, fullName, 0)
    const { password = '' } = form
    const related = [email, email.slice(0, email.lastIndexOf('@')), fullName]
    if (!(await this.strength.isEnough(password, related))) {
      throw badRequest('SIGN_UP_PASSWORD_TOO_WEAK')
    }
    if (this.option.termsUrl !== undefined && !form.acceptsTerms) {
      throw badRequest('SIGN_UP_TERMS_NOT_ACCEPTED')
    }
    const client = this.limit.hashingClientOf(request)
    const passwordHash = await this.passwords.hash(password, client)
    await this.acceptance.accept(
      organization_id,
      token,
      { email, fullName, passwordHash },
      // Another request may have used the name while the password was hashed.
      (tx) => this.names.require(tx, fullName, 0),
    )
    return { kind: 'done', email }
  }
}

function closed(): Error {
  return badRequest('SIGN_UP_CLOSED')
}
