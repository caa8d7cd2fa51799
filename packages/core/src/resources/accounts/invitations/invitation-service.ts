import { inject } from 'tsyringe'

import { createdValues } from '../../../domain/organizations/audit-actions.js'
import { Quotas } from '../../../domain/quotas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText, type NamedText } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  Database,
  toJson,
  UnitOfWork,
  type NewRow,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { InvitationLimit } from '../../access/authentication/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { Mailer } from '../email-changes/index.js'
import { InvitationChanges } from './invitation-changes.js'
import { InvitationLinks } from './invitation-links.js'
import { InvitationMailDelivery } from './invitation-mail-delivery.js'
import { InvitationRepository } from './invitation-repository.js'
import { invitations, type InvitationRow } from './invitations-table.js'
import { InvitationRules, type InvitationOffer } from './invitation-rules.js'
import type { Invite } from './invitation-schemas.js'
import { InvitationsOptionToken, type InvitationsOption } from './invitation-settings.js'
import { InviteeAddresses, parseInvitees, type InviteeProblem } from './invitee-addresses.js'

const daySeconds = 86_400

/** An invitation as its creator requests it. */
export interface InvitationRequest extends InvitationOffer {
  /** Null if it never expires. */
  readonly expiresInMinutes: number | null
  readonly notifiesInviter: boolean
  /** The URL of the chat, for the link. */
  readonly chatUrl: string
}

/** Creates, lists, revokes and resends invitations. */
@perServer()
export class InvitationService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(InvitationRepository) private readonly invitations: InvitationRepository,
    @inject(InvitationRules) private readonly rules: InvitationRules,
    @inject(InvitationLimit) private readonly limit: InvitationLimit,
    @inject(InvitationLinks) private readonly links: InvitationLinks,
    @inject(InvitationChanges) private readonly changes: InvitationChanges,
    @inject(InvitationMailDelivery) private readonly mails: InvitationMailDelivery,
    @inject(InviteeAddresses) private readonly addresses: InviteeAddresses,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(Mailer) private readonly mailer: Mailer,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(InvitationsOptionToken) private readonly option: InvitationsOption,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Invites addresses. Addresses that have an account are left out, unless the call is part of a
   * transaction of the application, which a failure would undo.
   *
   * @throws {ChatError} `INVITATION_FAILED` if some addresses were not invited; the errors of
   *   {@link InvitationRules}.
   */
  async send(actor: Actor, text: string, request: InvitationRequest): Promise<void> {
    const emails = parseInvitees(text)
    if (emails.length === 0) throw badRequest('INVITATION_ADDRESSES_MISSING')
    this.quotas.require('inviteesPerRequest', emails.length)
    const taken = await this.#runLimited(actor, emails, async (tx) => {
      await this.rules.requireAllowed(actor, 'can_invite_users_group', request.role)
      await this.rules.requireOffer(tx, actor, request)
      this.#requireMail()
      const checked = await this.addresses.check(tx, emails)
      const problems = [...checked.invalid, ...checked.taken]
      if (checked.invalid.length > 0) {
        throw failed(namedText('INVITATION_ADDRESSES_NOT_VALID'), problems)
      }
      if (checked.valid.length === 0) throw failed(namedText('INVITATION_NOBODY_INVITED'), problems)
      if (problems.length > 0 && this.database.joined.transaction !== undefined) {
        throw failed(namedText('INVITATION_ADDRESSES_TAKEN_NONE_SENT'), problems)
      }
      await this.#requireDailyLimit(tx, checked.valid.length)
      await this.#insert(tx, actor, request, checked.valid)
      this.mails.wakeAfterCommit(tx)
      return checked.taken
    })
    if (taken.length === 0) return
    throw failed(namedText('INVITATION_ADDRESSES_TAKEN'), taken, { sent_invitations: true })
  }

  /**
   * Creates a reusable link.
   *
   * @returns its URL.
   * @throws {ChatError} the errors of {@link InvitationRules}.
   */
  async createLink(actor: Actor, request: InvitationRequest): Promise<string> {
    const { subdomain } = await this.organizations.require(actor.organizationId)
    const token = await this.#runLimited(actor, [null], async (tx) => {
      await this.rules.requireAllowed(actor, 'create_multiuse_invite_group', request.role)
      await this.rules.requireOffer(tx, actor, request)
      const { acceptUrl, confirmAddresses = true } = this.option
      if (acceptUrl === undefined && confirmAddresses) this.#requireMail()
      const [created = ''] = await this.#insert(tx, actor, request, [null])
      return created
    })
    return this.links.urlOfToken(token, request.chatUrl, subdomain)
  }

  /** The invitations that `actor` manages, those by e-mail first. */
  async list(actor: Actor, chatUrl: string): Promise<Invite[]> {
    const { subdomain } = await this.organizations.require(actor.organizationId)
    const seesOthers = hasRole(actor, Role.administrator)
    const rows = await this.invitations.listPending(
      this.database.read(actor.organizationId),
      nowSeconds(this.clock),
      seesOthers ? undefined : actor.userId,
    )
    return rows
      .filter((row) => this.rules.manages(actor, row))
      .map((row) => {
        const url = row.is_reusable ? this.links.urlOf(row, chatUrl, subdomain) : undefined
        return {
          id: row.id,
          invited_by_user_id: row.inviter_id,
          invited: row.invited_at_seconds,
          expiry_date: row.expires_at_seconds,
          invited_as: row.role,
          ...(row.email !== null && { email: row.email }),
          notify_referrer_on_join: row.notifies_inviter,
          ...(url !== undefined && { link_url: url }),
          is_multiuse: row.is_reusable,
        }
      })
  }

  /** @throws {ChatError} `BAD_REQUEST` if `actor` manages no such invitation. */
  async revoke(actor: Actor, id: number, kind: 'email' | 'link'): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const invitation = await this.#require(tx, actor, id, kind)
      await this.changes.end(tx, [invitation])
      tx.audit({ action: 'invitation.revoked', objectId: id })
    })
  }

  /**
   * Sends the mail of an invitation again. It then lasts as long as it did at first.
   *
   * @throws {ChatError} `BAD_REQUEST` if `actor` manages no such invitation, `INVITATION_FAILED` if
   *   the organization has sent too many mails.
   */
  async resend(actor: Actor, id: number): Promise<void> {
    const scope = this.database.read(actor.organizationId)
    const { email } = await this.#require(scope, actor, id, 'email')
    await this.#runLimited(actor, [email], async (tx) => {
      const invitation = await this.#require(tx, actor, id, 'email')
      this.#requireMail()
      await this.#requireDailyLimit(tx, 1)
      const now = nowSeconds(this.clock)
      const { chat_url, expires_at_seconds, invited_at_seconds, mail_count } = invitation
      const isReadable = this.links.urlOf(invitation, chat_url, '') !== undefined
      await tx.rows(invitations).update(
        { id },
        {
          // A new secret, if the present one can no longer be decrypted.
          ...(isReadable ? {} : this.links.toStored(this.links.createToken())),
          invited_at_seconds: now,
          expires_at_seconds:
            expires_at_seconds === null ? null : now + expires_at_seconds - invited_at_seconds,
          mail_count: mail_count + 1,
          due_at_seconds: now,
          attempts: 0,
        },
      )
      await this.changes.announce(tx, [invitation.inviter_id])
      this.mails.wakeAfterCommit(tx)
      tx.audit({ action: 'invitation.resent', objectId: id })
    })
  }

  async #runLimited<Result>(
    actor: Actor,
    emails: readonly (string | null)[],
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    // Outside of the transaction, which may be repeated.
    return this.limit.run(actor, emails, async () => this.unitOfWork.runFor(actor, work))
  }

  async #require(
    scope: OrganizationScope,
    actor: Actor,
    id: number,
    kind: 'email' | 'link',
  ): Promise<InvitationRow> {
    const row = await scope.rows(invitations).find({ id })
    const isKnown =
      row?.link_id === null &&
      row.is_reusable === (kind === 'link') &&
      this.rules.manages(actor, row)
    if (!isKnown) throw badRequest('INVITATION_UNKNOWN')
    const { expires_at_seconds: expiresAt, ended_at_seconds: endedAt } = row
    if (endedAt !== null && kind === 'link') throw badRequest('INVITATION_REVOKED')
    const isOver = endedAt !== null || (expiresAt !== null && expiresAt <= nowSeconds(this.clock))
    if (isOver) throw badRequest('INVITATION_UNKNOWN')
    return row
  }

  /**
   * Stores an invitation for each address; null for a link.
   *
   * @returns their tokens.
   */
  async #insert(
    tx: Transaction,
    actor: Actor,
    request: InvitationRequest,
    emails: readonly (string | null)[],
  ): Promise<string[]> {
    const now = nowSeconds(this.clock)
    const pending = await this.invitations.countPending(tx, now)
    this.quotas.require('invitationsPerOrganization', pending + emails.length)
    const { expiresInMinutes, channelIds, groupIds } = request
    const tokens = emails.map(() => this.links.createToken())
    const rows = emails.map((email, index): NewRow<InvitationRow> => ({
      inviter_id: actor.userId,
      is_reusable: email === null,
      link_id: null,
      email,
      email_key: email === null ? null : foldCase(email),
      ...this.links.toStored(tokens[index] ?? ''),
      role: request.role,
      channel_ids: toJson([...new Set(channelIds)]),
      group_ids: toJson([...new Set(groupIds)]),
      joins_default_channels: request.joinsDefaultChannels,
      notifies_inviter: request.notifiesInviter,
      welcome_text: hasRole(actor, Role.administrator) ? request.welcomeText : null,
      invited_at_seconds: now,
      expires_at_seconds: expiresInMinutes === null ? null : now + expiresInMinutes * 60,
      ended_at_seconds: null,
      // A link has no mail.
      chat_url: email === null ? '' : request.chatUrl,
      mail_count: email === null ? 0 : 1,
      due_at_seconds: email === null ? null : now,
      attempts: 0,
    }))
    await tx.rows(invitations).insertMany(rows)
    const created = { role: request.role, is_reusable: emails.includes(null), count: emails.length }
    tx.audit({ action: 'invitation.created', changes: createdValues(created) })
    await this.changes.announce(tx, [actor.userId])
    return tokens
  }

  #requireMail(): void {
    if (this.mailer.isConfigured) return
    throw badRequest('INVITATION_MAIL_NOT_CONFIGURED')
  }

  async #requireDailyLimit(tx: Transaction, count: number): Promise<void> {
    const since = nowSeconds(this.clock) - daySeconds
    const limit = this.quotas.limitOf('invitationMailsPerDay')
    if ((await this.invitations.countMailsSince(tx, since)) + count <= limit) return
    throw failed(namedText('INVITATIONS_DAILY_LIMIT', { limit }), [], { daily_limit_reached: true })
  }
}

function failed(
  text: NamedText,
  errors: readonly InviteeProblem[],
  { sent_invitations = false, daily_limit_reached = false } = {},
): ChatError {
  return new ChatError('INVITATION_FAILED', {
    text,
    fields: {
      errors: [...errors],
      sent_invitations,
      license_limit_reached: false,
      daily_limit_reached,
    },
  })
}
