import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import {
  Database,
  dueIntervalMilliseconds,
  DueRows,
  UnitOfWork,
  type DueReference,
  type OrganizationScope,
} from '../../../storage/index.js'
import { Mailer } from '../../accounts/email-changes/index.js'
import { MailComposer, type ComposedMail } from './mail-composer.js'
import { MailNotificationRepository } from './mail-notification-repository.js'
import type { MailNotificationRow } from './mail-notifications-table.js'
import { NotificationMailRulesToken, type NotificationMailRules } from './mail-options.js'

/** Maximum number of messages of a user that are processed together. */
const maxRows = 200
const atOnce = 5
/** Longer than sending all mails of the rows may take; see {@link sendingSeconds}. */
const leaseSeconds = 180
/** After this time, mails of a lease wait for the next one. */
const sendingSeconds = 60
const maxAttempts = 5
const retryDelaySeconds = 60
/** Delay of mails above the limit of an hour. */
const limitDelaySeconds = 600
/** A sent row is kept longer than any event queue, so that no message is mailed twice. */
const keptSeconds = 8 * 86_400

/** Sends mails about missed messages, at least once each. */
@perServer()
export class MailDelivery implements BackgroundWork {
  readonly name = 'Mails about missed messages'
  readonly intervalMilliseconds = dueIntervalMilliseconds
  readonly isOff: boolean
  readonly #rows: DueRows<MailNotificationRow>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(MailNotificationRepository) private readonly notifications: MailNotificationRepository,
    @inject(MailComposer) private readonly composer: MailComposer,
    @inject(Mailer) private readonly mailer: Mailer,
    @inject(NotificationMailRulesToken) private readonly rules: NotificationMailRules,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.isOff = !rules.isOn
    this.#rows = new DueRows('mail_notifications', database, unitOfWork, clock)
  }

  async round(round: Round): Promise<void> {
    await this.#rows.processDue(round, (due) => this.#deliver(due, round.stopping), atOnce)
  }

  async end(): Promise<void> {
    await this.#rows.idle()
  }

  /** Sends all due mails to the user of a row. */
  async #deliver({ id, organization_id }: DueReference, stopping: AbortSignal): Promise<void> {
    const scope = this.database.read(organization_id)
    const ids = await this.notifications.listDueWith(scope, id, maxRows)
    if (ids.length === 0) return
    const leased = await this.#rows.lease(organization_id, ids, leaseSeconds)
    const waiting = leased.filter(({ mail_id, attempts }) => {
      return mail_id === null && attempts <= maxAttempts
    })
    const mails = waiting.length === 0 ? [] : await this.composer.compose(scope, waiting)
    const composed = new Set(mails.flatMap(({ rows }) => rows.map((row) => row.id)))
    await this.#delete(
      organization_id,
      leased.filter((row) => !composed.has(row.id)),
    )
    const startedAt = nowSeconds(this.clock)
    for (const [index, mail] of mails.entries()) {
      const isLate = nowSeconds(this.clock) - startedAt >= sendingSeconds
      if (isLate || stopping.aborted) await this.#postpone(organization_id, mail, 0, 1)
      // Sending the mails before it may have taken a while.
      else {
        const current = index === 0 ? [mail] : await this.#again(scope, mail)
        for (const one of current) await this.#send(organization_id, one, stopping)
      }
    }
  }

  /** Composes a mail again from the present data; deletes the rows that need no mail any more. */
  async #again(scope: OrganizationScope, { rows }: ComposedMail): Promise<readonly ComposedMail[]> {
    const mails = await this.composer.compose(scope, rows)
    const kept = new Set(mails.flatMap((mail) => mail.rows.map((row) => row.id)))
    await this.#delete(
      scope.organizationId,
      rows.filter((row) => !kept.has(row.id)),
    )
    return mails
  }

  async #send(
    organizationId: number,
    composed: ComposedMail,
    stopping: AbortSignal,
  ): Promise<void> {
    const [first] = composed.rows
    if (first === undefined) return
    const scope = this.database.read(organizationId)
    const keptAfter = nowSeconds(this.clock) + keptSeconds - 3600
    const sent = await this.notifications.countSent(scope, first.user_id, keptAfter)
    if (sent >= this.rules.maxPerUserAndHour) {
      await this.#postpone(organizationId, composed, limitDelaySeconds, 1)
      return
    }
    if (await this.mailer.trySendInTime(composed.mail, stopping)) {
      const due_at_seconds = nowSeconds(this.clock) + keptSeconds
      await this.#change(organizationId, composed, () => ({
        mail_id: first.message_id,
        due_at_seconds,
      }))
    } else if (stopping.aborted) {
      // It is due again when the lease ends.
    } else if (first.attempts < maxAttempts) {
      await this.#postpone(organizationId, composed, retryDelaySeconds * first.attempts)
    } else {
      this.logger.warn('A mail about missed messages was given up', { userId: first.user_id })
      await this.#delete(organizationId, composed.rows)
    }
  }

  /** @param untried attempts that were counted for the mail and not made. */
  async #postpone(
    organizationId: number,
    mail: ComposedMail,
    seconds: number,
    untried = 0,
  ): Promise<void> {
    const due_at_seconds = nowSeconds(this.clock) + seconds
    await this.#change(organizationId, mail, ({ attempts }) => ({
      due_at_seconds,
      attempts: attempts - untried,
    }))
  }

  async #change(
    organizationId: number,
    { rows }: ComposedMail,
    changesOf: (row: MailNotificationRow) => Partial<MailNotificationRow>,
  ): Promise<void> {
    await this.unitOfWork.run(
      organizationId,
      async (tx) => {
        for (const row of rows) await this.#rows.change(tx, row, changesOf(row))
      },
      { skipWriteLock: true },
    )
  }

  async #delete(organizationId: number, rows: readonly MailNotificationRow[]): Promise<void> {
    if (rows.length === 0) return
    await this.unitOfWork.run(organizationId, (tx) => this.#rows.delete(tx, rows), {
      skipWriteLock: true,
    })
  }
}
