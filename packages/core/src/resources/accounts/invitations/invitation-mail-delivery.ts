import { inject } from 'tsyringe'

import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { Background } from '../../../kernel/background.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import {
  Database,
  dueIntervalMilliseconds,
  DueRows,
  UnitOfWork,
  type DueReference,
  type LeasableRow,
  type Transaction,
} from '../../../storage/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import { UserRepository } from '../../people/users/index.js'
import { Mailer, type Mail } from '../email-changes/index.js'
import { InvitationLinks } from './invitation-links.js'
import { existingAccountMail, invitationMail, signUpMail } from './invitation-mails.js'
import type { InvitationRow } from './invitations-table.js'
import { InviteeAddresses } from './invitee-addresses.js'

const mailsAtOnce = 5
/** Longer than an attempt can take. */
const leaseSeconds = 120
const firstDelaySeconds = 60
const maxDelaySeconds = 3600
/** The last attempt is about a day after the first one. */
const maxAttempts = 30

type LeasedRow = InvitationRow & LeasableRow

/**
 * Sends the mails of invitations. A mail is due from the transaction that creates its invitation, so
 * none is lost if a process ends; it is sent at least once, and again until the sender accepts it.
 */
@perServer()
export class InvitationMailDelivery implements BackgroundWork {
  readonly name = 'Sending invitations'
  readonly intervalMilliseconds = dueIntervalMilliseconds
  readonly isOff: boolean
  readonly #rows: DueRows<LeasedRow>

  constructor(
    @inject(Mailer) private readonly mailer: Mailer,
    @inject(InvitationLinks) private readonly links: InvitationLinks,
    @inject(InviteeAddresses) private readonly addresses: InviteeAddresses,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
    @inject(Background) private readonly background: Background,
  ) {
    this.#rows = new DueRows('invitations', database, unitOfWork, clock)
    this.isOff = !mailer.isConfigured
  }

  /** Sends the mails that a transaction has made due, once it has committed. */
  wakeAfterCommit(tx: Transaction): void {
    tx.afterCommit(() => this.background.wake(this))
  }

  async round(round: Round): Promise<void> {
    await this.#rows.processDue(round, (due) => this.#deliver(due, round.stopping), mailsAtOnce)
  }

  async end(): Promise<void> {
    await this.#rows.idle()
  }

  async #deliver({ id, organization_id }: DueReference, stopping: AbortSignal): Promise<void> {
    const [row] = await this.#rows.lease(organization_id, [id], leaseSeconds)
    if (row === undefined) return
    const mail = await this.#mailOf(row)
    const isDone = mail === undefined || (await this.mailer.trySendInTime(mail, stopping))
    // The mail is due again when the lease ends, or at the next start.
    if (!isDone && stopping.aborted) return
    await this.unitOfWork.run(organization_id, async (tx) => {
      if (isDone || row.attempts >= maxAttempts) await this.#rows.complete(tx, row)
      else await this.#rows.change(tx, row, { due_at_seconds: this.#nextAttempt(row) })
    })
    if (!isDone && row.attempts >= maxAttempts) {
      this.logger.error('An invitation could not be sent, and is not tried again', {
        invitationId: id,
        attempts: row.attempts,
      })
    }
  }

  /** The mail of an invitation; undefined if none is needed any more. */
  async #mailOf(row: InvitationRow): Promise<Mail | undefined> {
    const { email, expires_at_seconds, inviter_id, link_id, organization_id } = row
    const organization = await this.organizations.find(organization_id)
    const hasExpired = expires_at_seconds !== null && expires_at_seconds <= nowSeconds(this.clock)
    if (email === null || hasExpired || organization?.isDeactivated !== false) return undefined
    const { name: organizationName, subdomain } = organization
    const scope = this.database.read(organization_id)
    // The recipient has no account, and so no language.
    const writer = await this.texts.writerFor(scope)
    if (link_id !== null && (await this.addresses.takenBy(scope, email)) !== undefined) {
      return existingAccountMail(email, { organizationName }, writer)
    }
    const link = this.links.urlOf(row, row.chat_url, subdomain)
    if (link === undefined) return undefined
    const inviter = isSystemBotId(inviter_id) ? undefined : await this.users.find(scope, inviter_id)
    const content = {
      organizationName,
      inviterName: inviter?.full_name,
      link,
      expiresAtSeconds: expires_at_seconds,
    }
    return link_id === null
      ? invitationMail(email, content, writer)
      : signUpMail(email, content, writer)
  }

  #nextAttempt({ attempts }: LeasedRow): number {
    const delay = Math.min(firstDelaySeconds * 2 ** (attempts - 1), maxDelaySeconds)
    return nowSeconds(this.clock) + delay
  }
}
