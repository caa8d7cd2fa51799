import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  Database,
  parseJson,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  actorOf,
  UserRepository,
  UserService,
  type Joining,
  type NewUser,
  type UserRow,
} from '../../people/users/index.js'
import { hashToken } from './invitation-links.js'
import { invitations, type InvitationRow } from './invitations-table.js'
import { InvitationRules } from './invitation-rules.js'
import { InviteeAddresses } from './invitee-addresses.js'

/** The person who accepts an invitation. */
export type Newcomer = Pick<NewUser, 'email' | 'fullName'> &
  Partial<Pick<NewUser, 'passwordHash' | 'externalId' | 'avatarUrl'>>

/** Finds invitations by their tokens, and creates the accounts of people who accept them. */
@perServer()
export class InvitationAcceptance {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(InviteeAddresses) private readonly addresses: InviteeAddresses,
    @inject(InvitationRules) private readonly rules: InvitationRules,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserService) private readonly service: UserService,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * The invitation of a token.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if no invitation has the token, it has ended or expired,
   *   its inviter may no longer invite, or the organization is deactivated: the same error in every
   *   case.
   */
  async requireUsable(scope: OrganizationScope, token: string): Promise<InvitationRow> {
    const row = await scope.rows(invitations).find({ token_hash: hashToken(token) })
    if (row === undefined || row.ended_at_seconds !== null) throw unusable()
    const { expires_at_seconds } = row
    if (expires_at_seconds !== null && expires_at_seconds <= nowSeconds(this.clock)) {
      throw unusable()
    }
    const organization = await this.organizations.find(scope.organizationId)
    if (organization?.isDeactivated !== false) throw unusable()
    if (isSystemBotId(row.inviter_id)) return row
    const inviter = await this.#inviterOf(scope, row)
    if (!(await this.rules.isStillAllowed(inviter, row))) throw unusable()
    return row
  }

  /** The same outside of a transaction. */
  async find(organizationId: number, token: string): Promise<InvitationRow> {
    return this.requireUsable(this.database.read(organizationId), token)
  }

  /** The name of the inviter; undefined if the application has created the invitation. */
  async inviterName({ organization_id, inviter_id }: InvitationRow): Promise<string | undefined> {
    if (isSystemBotId(inviter_id)) return undefined
    return (await this.users.find(this.database.read(organization_id), inviter_id))?.full_name
  }

  /**
   * Creates an account with the part of the invitation's offer that the inviter can still give, and
   * ends the invitation unless it is reusable, in one transaction.
   *
   * @param check further checks, in the transaction.
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the invitation is not usable; `BAD_REQUEST` if the
   *   address or the external id has an account already.
   */
  async accept(
    organizationId: number,
    token: string,
    newcomer: Newcomer,
    check?: (tx: Transaction) => Promise<void>,
  ): Promise<UserRow> {
    return this.unitOfWork.run(organizationId, async (tx) => {
      const invitation = await this.requireUsable(tx, token)
      await check?.(tx)
      await this.#requireNew(tx, newcomer)
      return this.service.createWithin(
        tx,
        { ...newcomer, role: invitation.role },
        await this.#joiningOf(tx, invitation),
      )
    })
  }

  async #joiningOf(tx: Transaction, invitation: InvitationRow): Promise<Joining> {
    const joining = joiningOf(invitation)
    // The application can give everything at any time.
    if (isSystemBotId(invitation.inviter_id)) return joining
    const inviter = await this.#inviterOf(tx, invitation)
    return { ...joining, ...(await this.rules.narrow(tx, inviter, joining)) }
  }

  async #inviterOf(scope: OrganizationScope, { inviter_id }: InvitationRow): Promise<Actor> {
    const inviter = await this.users.find(scope, inviter_id)
    if (inviter?.is_active !== true) throw unusable()
    return actorOf(inviter)
  }

  async #requireNew(tx: Transaction, { email, externalId }: Newcomer): Promise<void> {
    const problem = await this.addresses.takenBy(tx, email)
    if (problem !== undefined) throw new ChatError('BAD_REQUEST', { text: problem })
    if (externalId === undefined || externalId === null) return
    if ((await this.users.findByExternalId(tx, externalId)) !== undefined) {
      throw badRequest('EMAIL_ADDRESS_HAS_ACCOUNT')
    }
  }
}

function joiningOf(invitation: InvitationRow): Joining {
  return {
    invitationId: invitation.id,
    inviterId: invitation.inviter_id,
    isUsedUp: !invitation.is_reusable,
    channelIds: parseJson(invitation.channel_ids),
    joinsDefaultChannels: invitation.joins_default_channels,
    groupIds: parseJson(invitation.group_ids),
    welcomeText: invitation.welcome_text,
    notifiesInviter: invitation.notifies_inviter,
  }
}

function unusable(): ChatError {
  return new ChatError('OBJECT_NOT_FOUND', {
    text: namedText('INVITATION_ENDED'),
  })
}
