import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { ChatError, namedText } from '../../../errors/index.js'
import { apiUrl } from '../../../kernel/chat-address.js'
import { type Clock, nowSeconds } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, type Transaction, UnitOfWork } from '../../../storage/index.js'
import { EmailChangeLimit, type RateLimitHeaders } from '../../access/authentication/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import {
  AccountChanges,
  type AccountStep,
  actorOf,
  UserRepository,
  type UserRow,
} from '../../people/users/index.js'
import { AddressRules, changesDisabled } from './address-rules.js'
import { addressChangedMail, confirmationMail } from './email-change-mails.js'
import { type EmailChangeRow, emailChanges } from './email-changes-table.js'
import { Mailer } from './mailer.js'

const keyBytes = 24
const validSeconds = 86_400

/** A change that a user requests: it is stored first, and then the mail is sent. */
export interface RequestedEmailChange {
  readonly newEmail: string
  readonly key: string
}

interface ConfirmedChange {
  readonly change: EmailChangeRow
  readonly user: UserRow
}

/** Lets users change their own address after they have proved that the new one is theirs. */
@perServer()
export class EmailChanges {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AccountChanges) private readonly accounts: AccountChanges,
    @inject(AddressRules) private readonly rules: AddressRules,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(Mailer) private readonly mailer: Mailer,
    @inject(EmailChangeLimit) private readonly limit: EmailChangeLimit,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Checks an address that a user requests.
   *
   * @param limitHeaders receives the state of the limit on changes.
   * @returns undefined if the user already has it.
   * @throws {ChatError} `BAD_REQUEST` if the user may not have it, or no address can be confirmed
   *   because the server sends no mail; `RATE_LIMIT_HIT` if there were too many changes.
   */
  async prepare(
    user: UserRow,
    email: string,
    limitHeaders?: RateLimitHeaders,
  ): Promise<RequestedEmailChange | undefined> {
    const newEmail = email.trim()
    if (newEmail === user.email) return undefined
    const scope = this.database.read(user.organization_id)
    await this.rules.require(scope, user, newEmail, { isConfirmed: false })
    if (!this.mailer.isConfigured) throw changesDisabled()
    await this.limit.require(user, limitHeaders)
    return { newEmail, key: randomToken(keyBytes) }
  }

  /** Stores a prepared change, replacing earlier unconfirmed ones. */
  async store(tx: Transaction, user: UserRow, change: RequestedEmailChange): Promise<void> {
    await tx.rows(emailChanges).delete({ user_id: user.id })
    await tx.rows(emailChanges).insert({
      user_id: user.id,
      old_email: user.email,
      new_email: change.newEmail,
      key_hash: hashKey(change.key),
      requested_at_seconds: nowSeconds(this.clock),
    })
  }

  /**
   * Sends the confirmation mail, after the stored change has been committed.
   *
   * @param user who has requested the change.
   * @param chatUrl the URL at which the client reached the chat.
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if the mail could not be sent.
   */
  async send(
    user: UserRow,
    { newEmail, key }: RequestedEmailChange,
    chatUrl: string,
  ): Promise<void> {
    const organizationId = user.organization_id
    const { name } = await this.organizations.require(organizationId)
    const writer = await this.texts.writerFor(this.database.read(organizationId), user)
    const link = apiUrl(chatUrl, `/accounts/confirm_new_email/${key}`)
    await this.mailer.send(confirmationMail(newEmail, { organizationName: name, link }, writer))
  }

  /**
   * Returns the address that a key confirms, if the key is valid.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if it is not.
   */
  async requirePending(organizationId: number, key: string): Promise<string> {
    const change = await this.database
      .read(organizationId)
      .rows(emailChanges)
      .find({ key_hash: hashKey(key) })
    if (change === undefined || this.#isExpired(change.requested_at_seconds)) throw unusable()
    return change.new_email
  }

  /**
   * Changes the address, and sends a mail to the old one.
   *
   * @returns the new address.
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the key was used, has expired or never existed;
   *   `BAD_REQUEST` if the user may not have the address any more.
   */
  async confirm(organizationId: number, key: string): Promise<string> {
    const { change, user } = await this.#change(organizationId, key)
    const { old_email, new_email } = change
    const { name } = await this.organizations.require(organizationId)
    const writer = await this.texts.writerFor(this.database.read(organizationId), user)
    const about = { organizationName: name, newEmail: new_email }
    await this.mailer.trySend(addressChangedMail(old_email, about, writer))
    return new_email
  }

  async #change(organizationId: number, key: string): Promise<ConfirmedChange> {
    return this.unitOfWork.run(organizationId, async (tx) => {
      const change = await tx.rows(emailChanges).find({ key_hash: hashKey(key) })
      if (change === undefined || this.#isExpired(change.requested_at_seconds)) throw unusable()
      const user = await this.users.lock(tx, change.user_id)
      if (!user?.is_active || user.email !== change.old_email) throw unusable()
      if ((await tx.rows(emailChanges).delete({ id: change.id })) === 0) throw unusable()
      tx.caller = actorOf(user)
      await this.rules.require(tx, user, change.new_email, { isConfirmed: true })
      await this.accounts.changeEmail(tx, user, change.new_email)
      return { change, user }
    })
  }

  #isExpired(requestedAtSeconds: number): boolean {
    return nowSeconds(this.clock) >= requestedAtSeconds + validSeconds
  }
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function unusable(): ChatError {
  return new ChatError('OBJECT_NOT_FOUND', {
    text: namedText('CONFIRMATION_LINK_EXPIRED'),
  })
}

/** Deletes the requested changes of deactivated accounts, so that they cannot be confirmed. */
@perServer()
export class DeactivatedEmailChanges implements AccountStep {
  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    await tx.rows(emailChanges).delete({ user_id: user.id })
  }
}
