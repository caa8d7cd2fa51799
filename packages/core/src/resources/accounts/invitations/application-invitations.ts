import { inject } from 'tsyringe'

import type { Role } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { requireIdentity } from '../../people/users/index.js'
import { InvitationAcceptance } from './invitation-acceptance.js'

/** An invitation, for the application's own page. */
export interface OpenInvitation {
  /** The address that was invited; null for a reusable link. */
  readonly email: string | null
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  readonly role: Role
  readonly organizationName: string
  /** Null if the application has created the invitation. */
  readonly inviterName: string | null
  /** UNIX seconds; null if it never expires. */
  readonly expiresAtSeconds: number | null
}

/** A user of the application who accepts an invitation, as `identify` describes users. */
export interface InvitationAnswer {
  /** The parameter `invitation` of the application's page. */
  readonly token: string
  /** The application's id of the user: a string of 1 to 190 characters, or an integer. */
  readonly externalId: string | number
  /** The application has made sure that it is the user's own. */
  readonly email: string
  /** Not blank; truncated to 100 characters. */
  readonly fullName: string
  /** The application's picture of the user, as `identify` returns it. @default none */
  readonly avatarUrl?: string | null
  /** The `subdomain` of the organization. @default the only organization */
  readonly organization?: string
}

/** Tokens are shorter; longer texts are not hashed. */
const maxTokenLength = 1000

/** The invitations that people accept on the application's own page. */
@perServer()
export class ApplicationInvitations {
  constructor(
    @inject(InvitationAcceptance) private readonly acceptance: InvitationAcceptance,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /** @throws {TypeError} if `token` is not a string. */
  async find(organizationId: number, token: string): Promise<OpenInvitation | undefined> {
    requireToken('chat.invitations.find', token)
    try {
      const invitation = await this.acceptance.find(organizationId, token)
      const { name } = await this.organizations.require(organizationId)
      return {
        email: invitation.email,
        role: invitation.role,
        organizationName: name,
        inviterName: (await this.acceptance.inviterName(invitation)) ?? null,
        expiresAtSeconds: invitation.expires_at_seconds,
      }
    } catch (error) {
      if (error instanceof ChatError && error.kind === 'OBJECT_NOT_FOUND') return undefined
      throw error
    }
  }

  /**
   * @returns the new user's id.
   * @throws {ChatError} the errors of {@link InvitationAcceptance.accept}.
   * @throws {TypeError} naming a property of the wrong type.
   */
  async accept(organizationId: number, answer: InvitationAnswer): Promise<number> {
    const call = 'chat.invitations.accept'
    const { role: _role, ...identity } = requireIdentity(answer, call)
    requireToken(call, answer.token)
    const { id } = await this.acceptance.accept(organizationId, answer.token, identity)
    return id
  }
}

/** @throws {TypeError} because applications in plain JavaScript are not type-checked. */
function requireToken(call: string, token: unknown): void {
  if (typeof token === 'string' && token.length <= maxTokenLength) return
  throw new TypeError(`${call}: token must be a string of at most ${maxTokenLength} characters`)
}
